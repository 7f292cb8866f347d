// The journal in memory: a context of one owner, forgotten when it is over.
import { MemoryReminderJournal } from './journal.ts';
import { decide } from './life-cycle/decide.ts';
import { fold } from './life-cycle/evolve.ts';
import type { Input } from './life-cycle/input.ts';
import { initialState, type State } from './life-cycle/state.ts';

const at = '2026-09-01T00:00:00Z';
const mine = { owner: 'mine', contextId: 'c1' };

async function take(journal: MemoryReminderJournal, input: Input): Promise<State> {
  const state = await journal.load(undefined, mine);
  const decided = decide(state, input);
  const events = 'refusal' in decided ? [] : decided.events;
  await journal.append(undefined, mine, events);
  return fold(state, events);
}

it('gives back what was appended, to its owner alone', async () => {
  const journal = new MemoryReminderJournal();
  const after = await take(journal, { type: 'turnBegan', at, taskId: 't1', turnId: 'run' });
  expect(after.tasks).toHaveLength(1);
  expect(await journal.load(undefined, mine)).toEqual(after);
  expect(await journal.load(undefined, { ...mine, owner: 'other' })).toEqual(initialState('c1'));
});

it('remembers nothing of a context that is over', async () => {
  const journal = new MemoryReminderJournal();
  await take(journal, { type: 'taskOpened', at, taskId: 't1' });
  expect(journal.contextsCount).toBe(1);
  await take(journal, { type: 'taskEnded', at, taskId: 't1' });
  expect(journal.contextsCount).toBe(0);
});
