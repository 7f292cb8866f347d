// §11: whether a task that was looked up shows that a client's answer was accepted.
import { lookedUpAnswer, type NotedAnswer } from './looked-up-answer.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';
const noted: NotedAnswer = { agentId: 'booking', taskId: 't', messageId: 'm1', answerReporter: 'clerk' };
const told = { type: 'answerObserved', agentId: 'booking', taskId: 't', reporter: 'clerk' };

const sent = { messageId: 'm1', role: 'ROLE_USER', parts: [] };
const asks = (expectationId: string) => ({
  ...{ messageId: `asks-${expectationId}`, role: 'ROLE_AGENT', parts: [] },
  metadata: { [URI]: { expectations: [{ expectationId }] } },
});
const task = (state: string, history: readonly unknown[], message?: object) => ({
  ...{ id: 't', contextId: 'c', history },
  status: { state, ...(message && { message }) },
});

it('it does where the message is in its history, of 1.0 and of 0.3', () => {
  expect(lookedUpAnswer(task('TASK_STATE_WORKING', [asks('q1'), sent]), noted)).toEqual([told]);
  expect(lookedUpAnswer(task('completed', [asks('q1'), { ...sent, role: 'user' }]), noted)).toEqual([told]);
});

it('but for what the agent asks now, or has asked since', () => {
  const history = [asks('q1'), sent, asks('q2')];
  expect(lookedUpAnswer(task('TASK_STATE_INPUT_REQUIRED', history, asks('q3')), noted)).toEqual([
    { ...told, except: ['q2', 'q3'] },
  ]);
  // It has the message, and still asks what was answered.
  expect(lookedUpAnswer(task('TASK_STATE_INPUT_REQUIRED', [sent], asks('q1')), noted)).toEqual([
    { ...told, except: ['q1'] },
  ]);
});

it.each([
  ['it does not show the message', task('TASK_STATE_WORKING', [asks('q1')]), noted],
  ['it shows no history', { id: 't', status: { state: 'TASK_STATE_WORKING' } }, noted],
  ['the task was rejected', task('TASK_STATE_REJECTED', [sent]), noted],
  ['the message is its own', task('TASK_STATE_WORKING', [{ ...sent, role: 'ROLE_AGENT' }]), noted],
  ['the message was for no task', task('TASK_STATE_WORKING', [sent]), { ...noted, answerReporter: null }],
])('nothing is told where %s', (_, shown, of) => {
  expect(lookedUpAnswer(shown, of)).toEqual([]);
});
