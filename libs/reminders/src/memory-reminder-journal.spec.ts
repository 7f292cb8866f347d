// The journal in memory: what every journal must, and what it may be used like without transactions.
import { describeReminderJournal } from '#testing';
import { initialState } from './life-cycle/state.ts';
import { MemoryReminderJournal } from './memory-reminder-journal.ts';

describeReminderJournal('in memory', async () => {
  const journal = new MemoryReminderJournal();
  return {
    journal,
    within: (work) => journal.within(work),
    keptCount: async () => journal.contextsCount,
    close: () => Promise.resolve(),
  };
});

it('without a transaction what is appended counts at once, and a context that is over is forgotten', async () => {
  const journal = new MemoryReminderJournal();
  const of = { owner: 'mine', contextId: 'c1' };
  const task = { at: '2026-09-01T00:00:00Z', taskId: 't1' };
  await journal.append(undefined, of, [{ type: 'taskOpened', ...task }]);
  expect((await journal.load(undefined, of)).tasks).toHaveLength(1);
  await journal.append(undefined, of, [{ type: 'taskEnded', ...task }]);
  expect([await journal.load(undefined, of), journal.contextsCount]).toEqual([initialState('c1'), 0]);
});
