// §11: questions that expire.
import assert from 'node:assert/strict';
import { inCore, type Must } from './must.ts';
import { agentId, at, expectation, lapsesOf, recordOf, status, taskId, tick, told } from './story.ts';

const question = expectation('q', { kind: 'question', subject: { type: 'task', id: taskId } });
const asked = [status('09-01T01:00', 'WORKING'), status('09-01T02:00', 'INPUT_REQUIRED', [question])];

export const ofQuestions: readonly Must[] = [
  {
    paragraph: '11',
    must: 'satisfies a question when it is the client and reports the answer that the agent has accepted',
    check: () => {
      const answered = { type: 'answerObserved', at: at('09-02T00:00'), agentId, taskId, reporter: 'gateway' } as const;
      assert.equal(recordOf(told(...asked, answered), 'q').status, 'satisfied');
    },
    mutant: inCore(
      'question.ts',
      '  if (task === undefined) return;\n  const answered',
      '  if (task !== undefined) return;\n  const answered',
    ),
  },
  {
    paragraph: '11',
    must: 'satisfies a question on seeing its task leave the interrupted state, when it is not the client',
    check: () => assert.equal(recordOf(told(...asked, status('09-02T00:00', 'WORKING')), 'q').status, 'satisfied'),
    mutant: inCore(
      'observe.ts',
      'else if (isInterrupted(before) && !isInterrupted(state)) {',
      'else if (isInterrupted(before) && isInterrupted(state)) {',
    ),
  },
  {
    paragraph: '11',
    must: 'submits the ordinary lapse of a question that nobody answers',
    check: () => assert.deepEqual(lapsesOf(told(...asked, tick('09-11T00:00'))), ['q overdue']),
    mutant: inCore(
      'evolve/recorded.ts',
      'addGrace(raised.dueAt, raised.grace)',
      'event.question ? Infinity : addGrace(raised.dueAt, raised.grace)',
    ),
  },
];
