// What every journal of reminders must hold to, wherever its tasks are kept.
import { type Input, initialState, isOver, type ReminderJournal, type State, step } from '#reminders';
import { t } from '../ledger/events.ts';

export interface ReminderJournalSubject<Transaction> {
  readonly journal: ReminderJournal<Transaction>;
  /** Commits what the work has done, or nothing of it where it throws; it rejects with what was thrown. */
  readonly within: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;
  /** Of how many contexts anything is kept. */
  readonly keptCount: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Describes the journal that `open` makes, a new and empty one for each test. */
export function describeReminderJournal<Transaction>(
  name: string,
  open: () => Promise<ReminderJournalSubject<Transaction>>,
): void {
  describe(`the reminders’ journal ${name}`, () => {
    const mine = { owner: 'application and user', contextId: 'c1' };
    let subject: ReminderJournalSubject<Transaction>;
    beforeEach(async () => void (subject = await open()));
    afterEach(() => subject.close());

    const take = (input: Input, of = mine, fail?: Error): Promise<State> =>
      subject.within(async (transaction) => {
        const before = await subject.journal.load(transaction, of);
        const stepped = step(before, input);
        if ('refusal' in stepped) return before;
        await subject.journal.append(transaction, of, stepped.events, stepped.state);
        if (fail !== undefined) throw fail;
        return stepped.state;
      });

    const loaded = (of = mine): Promise<State> =>
      subject.within((transaction) => subject.journal.load(transaction, of));

    const inject = (id: string): Input => ({
      ...{ type: 'reminderInjected', at: t(1), taskId: 't1', isTerminal: false, contentHash: id, newId: id },
      metadata: { note: 'ä\n"' },
      draft: {
        id,
        body: `${id}: \u2028 ${'x'.repeat(500)}`,
        tags: ['a'],
        preserveOnCompact: false,
        propagate: 'REMINDER_PROPAGATION_SESSION',
        roleHint: 'REMINDER_ROLE_HINT_SYSTEM',
        mode: 'finish_step',
      },
    });

    it('begins with nothing, and gives back what its events fold to', async () => {
      expect(await loaded()).toEqual(initialState('c1'));
      await take({ type: 'taskOpened', at: t(0), taskId: 't1' });
      await take(inject('r1'));
      const after = await take({ type: 'turnBegan', at: t(2), taskId: 't1', turnId: 'run' });
      expect(after.live).toHaveLength(1);
      expect(await loaded()).toEqual(after);
    });

    it('gives nothing of it to another owner or context', async () => {
      await take({ type: 'taskOpened', at: t(0), taskId: 't1' });
      expect(await loaded({ ...mine, owner: 'another' })).toEqual(initialState('c1'));
      expect(await loaded({ ...mine, contextId: 'c2' })).toEqual(initialState('c2'));
    });

    it('keeps nothing of a transaction that fails', async () => {
      const before = await take({ type: 'taskOpened', at: t(0), taskId: 't1' });
      const fault = new Error('the task could not be written');
      await expect(take(inject('r1'), mine, fault)).rejects.toBe(fault);
      expect(await loaded()).toEqual(before);
    });

    it('lets one context’s inputs in one after another, however many come at once', async () => {
      await take({ type: 'taskOpened', at: t(0), taskId: 't1' });
      const ids = Array.from({ length: 10 }, (_, number) => `r${number}`);
      await Promise.all(ids.map((id) => take(inject(id))));
      const { live } = await loaded();
      expect(live.map(({ reminderId }) => reminderId).sort()).toEqual(ids);
    });

    it('forgets a context that is over', async () => {
      await take({ type: 'taskOpened', at: t(0), taskId: 't1' });
      await take(inject('r1'));
      expect(await subject.keptCount()).toBe(1);
      expect(isOver(await take({ type: 'taskEnded', at: t(2), taskId: 't1' }))).toBe(true);
      expect(await subject.keptCount()).toBe(0);
    });
  });
}
