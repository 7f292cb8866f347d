// What a task's events mean to reminders, and where their updates stand among them.
import { Message, TaskState } from '@a2a-js/sdk';
import { defaultBounds as bounds, initialState, readReminder, type State } from '#reminders';
import type { TaskEvent } from '../task/task-event.ts';
import { type CarriedReminder, takeOffReminders } from './carried-reminders.ts';
import { remindTask } from './remind.ts';

const at = '2027-01-01T00:00:00.000Z';
const message = (metadata: object = {}) => Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', metadata });
const carried = (reminder: object): CarriedReminder => {
  const read = readReminder({ id: 'r', body: 'b', ...reminder }, 'reminder');
  if ('refusal' in read) throw new Error(read.refusal.message);
  return read;
};
const status = (state: TaskState): TaskEvent => ({ type: 'statusChanged', at, state });
const working = status(TaskState.TASK_STATE_WORKING);
const asking = status(TaskState.TASK_STATE_INPUT_REQUIRED);
const completed = status(TaskState.TASK_STATE_COMPLETED);
const submitted = (...reminders: CarriedReminder[]): TaskEvent => ({
  type: 'submitted',
  at,
  message: message(),
  reminders,
});
const reply: TaskEvent = { type: 'messageReceived', at, message: message() };

function given(events: TaskEvent[], taskId = 't1', before: State = initialState('c1')) {
  const reminded = remindTask(before, { taskId, version: 0, bounds }, events);
  const kinds = reminded.taskEvents.map((event) =>
    event.type === 'reminderUpdated' ? (event.update.reason ?? 'accepted') : event.type,
  );
  return { ...reminded, kinds };
}

it('what a message brings is told after it, what a status ends before it', () => {
  const once = carried({ ttlTurns: 1 });
  expect(given([submitted(once), working, asking]).kinds).toEqual([
    ...['submitted', 'accepted', 'statusChanged', 'REMINDER_EXPIRED', 'statusChanged'],
  ]);
  expect(given([submitted(carried({})), working, completed]).kinds).toEqual([
    ...['submitted', 'accepted', 'statusChanged', 'REMINDER_EXPIRED', 'statusChanged'],
  ]);
});

it('a turn begins with a message or with work that is finished, and ends where the task rests', () => {
  const turns = (...events: TaskEvent[]) => {
    const [task] = given([submitted(), working, ...events]).after.tasks;
    return [task?.turns, task?.running !== undefined];
  };
  expect(turns()).toEqual([1, true]);
  expect(turns(working)).toEqual([1, true]);
  expect(turns(asking)).toEqual([1, false]);
  expect(turns(asking, reply, working)).toEqual([2, true]);
  const before = given([submitted(), working]).after;
  const waiting = remindTask(before, { taskId: 't1', version: 2, bounds }, [], { at });
  expect(waiting.after.tasks[0]).toEqual({ taskId: 't1', turns: 1 });
  expect(given([working], 't1', waiting.after).after.tasks[0]?.turns).toBe(2);
});

it('what is of no consequence to a task is of none to its reminders', () => {
  const before = given([submitted(carried({})), working]).after;
  const chunk = { type: 'progressReported', at, metadata: {} } as const;
  expect(given([chunk], 't1', before)).toMatchObject({ kinds: ['progressReported'], events: [], others: [] });
});

it('other tasks of the context are told of what is theirs too', () => {
  const first = given([submitted(), working]).after;
  const second = given([submitted(carried({ mode: 'interrupt_immediate' }))], 't2', first);
  expect(second.others.map(({ taskId }) => taskId)).toEqual(['t1']);
  expect(second.interrupted).toEqual(['t1']);
});

it('what a message carries is taken off it, or refused with the field named', () => {
  const ids = ['new'];
  const take = (metadata: object, ofRequest?: Record<string, unknown>) =>
    takeOffReminders(message(metadata), ofRequest, () => ids.pop() ?? '');
  expect(take({ harn: { reminder: [{ id: 'a', body: 'b' }] } }, { 'harn.reminder': { body: 'c' } })).toMatchObject({
    message: { metadata: {} },
    carried: [{ draft: { id: 'a' } }, { draft: { id: 'new', body: 'c' } }],
  });
  expect(take({ other: 1 })).toMatchObject({ message: { metadata: { other: 1 } }, carried: [] });
  expect(take({ harn: { reminder: { body: 1 } } })).toMatchObject({
    refusal: { field: 'message.metadata.harn.reminder.body' },
  });
});
