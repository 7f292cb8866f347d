// Group commit, by what is handed to the transaction.
import { AppendQueue, type Place } from './append-queue.ts';
import type { NewRecord } from './port.ts';

const recordsOf = (count: number, bytes = 1): NewRecord[] =>
  Array.from({ length: count }, () => ({ tenant: 'acme', value: new Uint8Array(bytes) }));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A queue whose transactions end when the test says so, in order. */
function queueUnderTest() {
  const groups: { count: number; commit: () => void; fail: (error: Error) => void }[] = [];
  let end = 0;
  const queue = new AppendQueue(
    3,
    (records) =>
      new Promise<Place>((resolve, reject) => {
        const commit = () => {
          resolve({ first: end, appendedAt: 1_000 + end });
          end += records.length;
        };
        groups.push({ count: records.length, commit, fail: reject });
      }),
  );
  /** The sizes of the groups until none is left, each committed once it is there. */
  const commitAll = async (appended: Promise<unknown>) => {
    const over = { isOver: false };
    void appended.finally(() => (over.isOver = true));
    for (let done = 0; !over.isOver;) {
      if (groups.length > done) groups[done++]!.commit();
      await turn();
    }
    return groups.map(({ count }) => count);
  };
  return { queue, groups, commitAll };
}

describe('appends at the same time', () => {
  it('go together in one transaction, and each caller gets its own offsets', async () => {
    const { queue, commitAll } = queueUnderTest();
    const appended = Promise.all([2, 1, 3].map((count) => queue.append(recordsOf(count))));
    expect(await commitAll(appended)).toEqual([6]);
    expect(await appended).toEqual([
      { partition: 3, offsets: [0, 1], appendedAt: 1_000 },
      { partition: 3, offsets: [2], appendedAt: 1_000 },
      { partition: 3, offsets: [3, 4, 5], appendedAt: 1_000 },
    ]);
  });

  it('gather while a transaction commits, and go in the next', async () => {
    const { queue, groups, commitAll } = queueUnderTest();
    const first = queue.append(recordsOf(1));
    while (groups.length === 0) await turn();
    const others = [queue.append(recordsOf(1)), queue.append(recordsOf(1))];
    expect(groups).toHaveLength(1);
    expect(await commitAll(Promise.all([first, ...others]))).toEqual([1, 2]);
  });

  it('are divided between callers past 2,000 records', async () => {
    const { queue, commitAll } = queueUnderTest();
    const appended = Promise.all([1_500, 500, 1].map((count) => queue.append(recordsOf(count))));
    expect(await commitAll(appended)).toEqual([2_000, 1]);
  });

  it('are divided between callers past 8 MiB', async () => {
    const { queue, commitAll } = queueUnderTest();
    const halves = [1, 2, 3].map(() => queue.append(recordsOf(4, 1024 * 1024)));
    expect(await commitAll(Promise.all(halves))).toEqual([8, 4]);
  });

  it('of one caller are never divided', async () => {
    const { queue, commitAll } = queueUnderTest();
    const appended = Promise.all([1, 5_000, 1].map((count) => queue.append(recordsOf(count))));
    expect(await commitAll(appended)).toEqual([1, 5_000, 1]);
  });

  it('fail together with their transaction, and with no other', async () => {
    const { queue, groups, commitAll } = queueUnderTest();
    const failing = Promise.allSettled([queue.append(recordsOf(1)), queue.append(recordsOf(1))]);
    while (groups.length === 0) await turn();
    const next = queue.append(recordsOf(1));
    groups[0]!.fail(new Error('no disk'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    groups.shift();
    await commitAll(next);
    expect((await next).offsets).toEqual([0]);
  });
});
