// The process that keeps its partitions decided: what it waits for, what it stops for, and how it hands them over.
import { Logger } from '@nestjs/common';
import { decodeLedger, encodeInbox, type EventLog, LogUnavailableError, MemoryEventLog } from '#event-log';
import { Memberships } from '#serving';
import { declared, ManualClock, TestShare } from '#testing';
import { PartitionUnusableError } from './partition-unusable-error.ts';
import { Timekeeper } from './timekeeper.ts';

const clock = new ManualClock(Date.parse('2026-09-01T00:00:00Z'));

class ShakyLog extends MemoryEventLog {
  isAway = false;
  readCount = 0;

  override async read(...call: Parameters<MemoryEventLog['read']>): ReturnType<MemoryEventLog['read']> {
    this.readCount += 1;
    if (this.isAway) throw new LogUnavailableError('the log is away');
    return super.read(...call);
  }
}

let log: ShakyLog;
const leaves: (() => Promise<void>)[] = [];
const fatal: unknown[] = [];
beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  log = new ShakyLog({ clock, partitionCount: 3 });
});
afterEach(async () => {
  for (const leave of leaves.splice(0)) await leave();
  fatal.splice(0);
});

interface Started {
  readonly timekeeper: Timekeeper;
  readonly share: TestShare;
  leave(): Promise<void>;
}

/** A timekeeper with all partitions, or those of a share. */
async function start(share = new TestShare([0, 1, 2]), of: EventLog = log, deployment = 'test'): Promise<Started> {
  const memberships = new Memberships();
  const timekeeper = new Timekeeper(of, clock, deployment, (error) => fatal.push(error), memberships);
  const membership = share.join('timekeeper', (partition, signal) => timekeeper.serve(partition, signal));
  memberships.joined('timekeeper', membership);
  const leave = (): Promise<void> => membership.leave();
  leaves.push(leave);
  await clock.settle();
  return { timekeeper, share, leave };
}

/** What the ledger says of each input, by its offset, with how often. */
async function decidedOffsets(partition: number): Promise<readonly number[]> {
  const records = await log.read('ledger', partition, { from: 0, limit: 1_000 });
  return records.flatMap(({ value }) => {
    const entry = decodeLedger(value);
    return 'events' in entry ? [entry.offset] : [];
  });
}

const tell = (partition: number) =>
  log.append(partition, [{ tenant: 'acme', value: encodeInbox(declared()) }]).then(() => clock.settle());

it('decides every partition, and is ready once it does', async () => {
  log.isAway = true;
  const { timekeeper } = await start();
  expect(timekeeper.isReady).toBe(false);
  await expect(timekeeper.check()).rejects.toThrow(
    'partition 0 is not deciding yet; partition 1 is not deciding yet; partition 2',
  );
  log.isAway = false;
  await clock.advance(1_000);
  expect(timekeeper.isReady).toBe(true);
  await timekeeper.check();
  for (const partition of [0, 1, 2]) {
    const { end } = await log.bounds('ledger', partition);
    await tell(partition);
    expect((await log.bounds('ledger', partition)).end).toBe(end + 1);
  }
});

it('waits for a log that is away, longer and longer, and says that it is not ready', async () => {
  const { timekeeper } = await start();
  log.isAway = true;
  await tell(1);
  expect(timekeeper.isReady).toBe(false);
  await expect(timekeeper.check()).rejects.toThrow('partition 1 is');
  log.readCount = 0;
  await clock.advance(3_000);
  // After 100, 300, 700, 1,500 and, of the next pause, not yet.
  expect(log.readCount).toBeLessThanOrEqual(8);
  log.isAway = false;
  await clock.advance(10_000);
  expect(timekeeper.isReady).toBe(true);
  expect(fatal).toEqual([]);
  const { end } = await log.bounds('ledger', 1);
  await tell(1);
  expect((await log.bounds('ledger', 1)).end).toBe(end + 1);
});

it('gives a partition up when another timekeeper has taken it over, and keeps the others', async () => {
  const share = new TestShare([]);
  const first = await start(share);
  const served = [0, 1, 2].map((partition) => share.give(partition));
  await clock.settle();
  await start(new TestShare([2]));
  await tell(2);
  expect(await served[2]).toBe('fenced');
  expect(fatal).toEqual([]);
  await expect(first.timekeeper.check()).rejects.toThrow('partition 2 is not being decided');
  expect([...first.timekeeper.doneBefore().keys()]).toEqual([0, 1]);
});

it('stops the process where the ledger is another deployment’s', async () => {
  const first = await start();
  const other = await start(new TestShare([0, 1, 2]), log, 'elsewhere');
  expect(fatal).toHaveLength(3);
  expect(fatal[0]).toBeInstanceOf(PartitionUnusableError);
  expect(first.timekeeper.isReady).toBe(true);
  expect(other.timekeeper.isReady).toBe(false);
});

it('stops deciding, and lets go of the log, when it leaves', async () => {
  const share = new TestShare([]);
  const { timekeeper, leave } = await start(share);
  const served = [0, 1].map((partition) => share.give(partition));
  await clock.settle();
  await leave();
  expect(await Promise.all(served)).toEqual(['left', 'left']);
  expect(timekeeper.doneBefore().size).toBe(0);
  expect(fatal).toEqual([]);
  expect(clock.sleeperCount).toBe(0);
});

describe('while it is not known which partitions are its own', () => {
  it('is not ready; then it is, though it has none', async () => {
    const share = new TestShare();
    const { timekeeper } = await start(share);
    await expect(timekeeper.check()).rejects.toThrow('not known yet');
    share.settle([]);
    await timekeeper.check();
  });

  it('is not ready either while one that has come is restored', async () => {
    const { timekeeper, share } = await start(new TestShare([0]));
    await timekeeper.check();
    log.isAway = true;
    void share.give(1);
    await clock.settle();
    await expect(timekeeper.check()).rejects.toThrow(/^partition 1 is not deciding yet$/);
    log.isAway = false;
    await clock.advance(10_000);
    await timekeeper.check();
  });
});

it('lets the rest of the process have its turn while it restores a partition', async () => {
  const first = await start(new TestShare([0]));
  const input = { tenant: 'acme', value: encodeInbox(declared()) };
  await log.append(0, Array<typeof input>(3_000).fill(input));
  await clock.settle();
  await first.leave();
  log.readCount = 0;
  const starting = start(new TestShare([0]));
  await new Promise((resolve) => setImmediate(resolve));
  const readsBefore = log.readCount;
  const { timekeeper } = await starting;
  await clock.settle();
  await timekeeper.check();
  expect(log.readCount - readsBefore).toBeGreaterThan(3);
});

describe('a partition that moves', () => {
  it('is decided on by the next one from where the first stopped, and nothing twice', async () => {
    const [first, second] = [await start(new TestShare([1])), await start(new TestShare([]))];
    await tell(1);
    await tell(1);
    expect(await first.share.take(1)).toBe('left');
    await tell(1);
    void second.share.give(1);
    await clock.settle();
    await tell(1);
    const inbox = await log.read('inbox', 1, { from: 0, limit: 100 });
    const told = inbox.filter(({ tenant }) => tenant !== null).map(({ offset }) => offset);
    expect(told).toHaveLength(4);
    expect(await decidedOffsets(1)).toEqual(told);
    await second.timekeeper.check();
    expect(first.timekeeper.doneBefore().size).toBe(0);
  });

  it('back and forth, while it is told things, has each decided once', async () => {
    const members = [await start(new TestShare([0])), await start(new TestShare([]))];
    for (let turn = 0; turn < 6; turn += 1) {
      const [from, to] = [members[turn % 2], members[(turn + 1) % 2]];
      const told = log.append(0, [{ tenant: 'acme', value: encodeInbox(declared()) }]);
      // Before the first has let go of it, as where one that was paused comes back.
      const served = to?.share.give(0);
      await Promise.all([told, from?.share.take(0)]);
      await clock.settle();
      expect(served).toBeDefined();
    }
    const inbox = await log.read('inbox', 0, { from: 0, limit: 100 });
    const told = inbox.filter(({ tenant }) => tenant !== null).map(({ offset }) => offset);
    expect(await decidedOffsets(0)).toEqual(told);
    expect(fatal).toEqual([]);
  });
});
