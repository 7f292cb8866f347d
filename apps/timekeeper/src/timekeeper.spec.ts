// The process that keeps every partition decided: what it waits for, and what it stops for.
import { Logger } from '@nestjs/common';
import { encodeInbox, type EventLog, FencedError, LogUnavailableError, MemoryEventLog } from '#event-log';
import { declared, ManualClock } from '#testing';
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
const started: Timekeeper[] = [];
const fatal: unknown[] = [];
beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => {
  log = new ShakyLog({ clock, partitionCount: 3 });
});
afterEach(async () => {
  for (const timekeeper of started.splice(0)) await timekeeper.onApplicationShutdown();
  fatal.splice(0);
});

async function start(of: EventLog = log, deployment = 'test'): Promise<Timekeeper> {
  const timekeeper = new Timekeeper(of, clock, deployment, (error) => fatal.push(error));
  started.push(timekeeper);
  timekeeper.onApplicationBootstrap();
  await clock.settle();
  return timekeeper;
}

const tell = (partition: number) =>
  log.append(partition, [{ tenant: 'acme', value: encodeInbox(declared()) }]).then(() => clock.settle());

it('decides every partition, and is ready once it does', async () => {
  const timekeeper = new Timekeeper(log, clock, 'test', () => undefined);
  expect(timekeeper.isReady).toBe(false);
  await expect(timekeeper.check()).rejects.toThrow(
    'partition 0 is not deciding yet; partition 1 is not deciding yet; partition 2',
  );
  const running = await start();
  expect(running.isReady).toBe(true);
  await running.check();
  for (const partition of [0, 1, 2]) {
    const { end } = await log.bounds('ledger', partition);
    await tell(partition);
    expect((await log.bounds('ledger', partition)).end).toBe(end + 1);
  }
});

it('waits for a log that is away, longer and longer, and says that it is not ready', async () => {
  const timekeeper = await start();
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

it('stops the process when another timekeeper has taken over', async () => {
  const first = await start();
  await start();
  await tell(2);
  expect(fatal).toEqual([expect.any(FencedError)]);
  expect(first.isReady).toBe(false);
});

it('stops the process where the ledger is another deployment’s', async () => {
  const first = await start();
  await start(log, 'elsewhere');
  expect(fatal).toHaveLength(3);
  expect(fatal[0]).toBeInstanceOf(PartitionUnusableError);
  expect(first.isReady).toBe(true);
});

it('stops deciding, and lets go of the log, when it is shut down', async () => {
  const timekeeper = await start();
  await timekeeper.onApplicationShutdown();
  expect(timekeeper.isReady).toBe(false);
  expect(fatal).toEqual([]);
  expect(clock.sleeperCount).toBe(0);
});
