// What happens to a task, and what cannot.
import { type Artifact, Message, Task, TaskState } from '@a2a-js/sdk';
import { decodeTaskEvent, encodeTaskEvent, type TaskEvent } from './task-event.ts';
import { evolveTask, refusalOf } from './task-life.ts';
import { stateOf } from './task-state.ts';
import { toDirectMessage, type ToldEvent, toStreamResponse, withHistory } from './told-task.ts';

const identity = { taskId: 'task-1', contextId: 'context-1' };
const at = (second: number): string => `2027-01-01T00:00:0${second}.000Z`;
const message = (id: string, role = 'ROLE_USER') => Message.fromJSON({ messageId: id, role, parts: [{ text: id }] });
const artifact = (text: string, artifactId = 'answer'): Artifact =>
  Task.fromJSON({ artifacts: [{ artifactId, parts: [{ text }] }] }).artifacts[0]!;

const submitted: TaskEvent = { type: 'submitted', at: at(0), message: message('hello') };
const status = (state: TaskState, said?: string): ToldEvent => ({
  ...{ type: 'statusChanged', at: at(1), state },
  ...(said !== undefined && { message: message(said, 'ROLE_AGENT') }),
});
const working = status(TaskState.TASK_STATE_WORKING);
const asking = status(TaskState.TASK_STATE_INPUT_REQUIRED, 'which one?');
const reply: TaskEvent = { type: 'messageReceived', at: at(2), message: message('that one') };
const chunk = (text: string, append: boolean): ToldEvent => ({
  ...{ type: 'artifactUpdated', at: at(1), artifact: artifact(text), append, lastChunk: false },
});

/** The events as they are kept and read again, each of which may happen. */
function given(...events: TaskEvent[]): Task {
  let task: Task | undefined;
  for (const event of events.map((each) => decodeTaskEvent(encodeTaskEvent(each)))) {
    expect(refusalOf(task && stateOf(task), event)).toBeUndefined();
    task = evolveTask(task, event, identity);
  }
  return task!;
}

const refused = (task: Task, event: TaskEvent) => refusalOf(stateOf(task), event);

describe('a task', () => {
  it('begins as submitted, with the message that it is of', () => {
    expect(Task.toJSON(given(submitted))).toEqual({
      id: 'task-1',
      contextId: 'context-1',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: at(0) },
      history: [{ messageId: 'hello', ...identity, role: 'ROLE_USER', parts: [{ text: 'hello' }] }],
      metadata: {},
    });
  });

  it('has what was asked and answered in its history, in order', () => {
    const task = given(submitted, working, asking, reply, status(TaskState.TASK_STATE_COMPLETED, 'done'));
    expect(task.history.map(({ messageId }) => messageId)).toEqual(['hello', 'which one?', 'that one']);
    expect(task.status).toMatchObject({ state: TaskState.TASK_STATE_COMPLETED, message: { messageId: 'done' } });
    const messages = [...task.history, task.status?.message];
    expect(messages.map((each) => [each?.taskId, each?.contextId])).toEqual(Array(4).fill(['task-1', 'context-1']));
  });

  it('has an artifact in as many pieces as it came in, or the last where it was replaced', () => {
    const texts = ({ artifacts }: Task) => artifacts.map(({ parts }) => parts.map(({ content }) => content?.value));
    expect(texts(given(submitted, working, chunk('a', false), chunk('b', true)))).toEqual([['a', 'b']]);
    expect(texts(given(submitted, working, chunk('a', false), chunk('b', false)))).toEqual([['b']]);
  });

  it('is not changed by what is only told', () => {
    const told: TaskEvent = { type: 'progressReported', at: at(3), metadata: { harnest: { type: 'thinking' } } };
    expect(given(submitted, working, told)).toEqual(given(submitted, working));
  });

  it.each(['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'] as const)('that is %s stays so', (name) => {
    const over = given(submitted, working, status(TaskState[`TASK_STATE_${name}`]));
    for (const event of [working, asking, reply, chunk('a', false)]) expect(refused(over, event)).toBe('over');
  });

  it('takes a message only while it waits for one', () => {
    expect(refused(given(submitted, working), reply)).toBe('not-waiting');
    expect(refused(given(submitted, working, asking, reply), reply)).toBe('not-waiting');
    expect(refused(given(submitted, working, asking), reply)).toBeUndefined();
  });

  it('is submitted once, and before anything else', () => {
    expect(refusalOf(undefined, working)).toBe('not-submitted');
    expect(refused(given(submitted), submitted)).toBe('submitted-twice');
    expect(refused(given(submitted), status(TaskState.TASK_STATE_SUBMITTED))).toBe('no-such-state');
    expect(refused(given(submitted), status(TaskState.UNRECOGNIZED))).toBe('no-such-state');
  });
});

describe('what callers are shown of it', () => {
  it('is as long a history as they ask for', () => {
    const task = given(submitted, working, asking, reply);
    const shown = (length?: number) => withHistory(task, length).history.map(({ messageId }) => messageId);
    expect([shown(), shown(0), shown(1), shown(9)]).toEqual([
      ...[['hello', 'which one?', 'that one'], [], ['that one']],
      ['hello', 'which one?', 'that one'],
    ]);
  });

  it('is each event, by itself', () => {
    const told = (event: ToldEvent) => toStreamResponse(event, identity).payload;
    expect(told(chunk('a', true))).toMatchObject({
      $case: 'artifactUpdate',
      value: { append: true, taskId: 'task-1' },
    });
    expect(told(asking)).toMatchObject({
      $case: 'statusUpdate',
      value: { status: { message: { messageId: 'which one?' } } },
    });
    expect(told(reply)).toMatchObject({ value: { status: { state: TaskState.TASK_STATE_WORKING } } });
  });

  it('is a Message where there need be no task', () => {
    const task = given(submitted, working, chunk('a', false), chunk('b', true), status(TaskState.TASK_STATE_COMPLETED));
    expect(toDirectMessage(task, 'm-1')).toMatchObject({ messageId: 'm-1', contextId: 'context-1', taskId: '' });
    expect(toDirectMessage(task, 'm-1').parts.map(({ content }) => content?.value)).toEqual(['a', 'b']);
  });
});
