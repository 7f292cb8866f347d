// One partition's life on a log in memory, under a clock that the test moves: time, take-overs, and what stops it.
import { Logger } from '@nestjs/common';
import { encodeInbox, encodeLedger, type EventLog, FencedError, MemoryEventLog } from '#event-log';
import { formatInstant } from '#expectations';
import { declared, PartitionStage, raised, reported } from '#testing';
import { PartitionLoop } from './partition-loop.ts';

// What is told of clocks that a test sets is no news.
Logger.overrideLogger(false);

const stages: { stop(): void }[] = [];
afterEach(() => {
  for (const stage of stages.splice(0)) stage.stop();
});

interface Running {
  readonly loop: PartitionLoop;
  /** How the run ended: nothing, or what it threw. */
  readonly ended: Promise<unknown>;
  stop(): void;
}

async function start(stage: PartitionStage, log: EventLog = stage.log, deployment = 'test'): Promise<Running> {
  const stopping = new AbortController();
  const loop = new PartitionLoop(log, stage.clock, 0, deployment);
  const ended = loop.run(stopping.signal).catch((error: unknown) => error);
  const running = { loop, ended, stop: () => stopping.abort() };
  stages.push(running);
  await stage.clock.settle();
  return running;
}

/** A stage whose tenant `acme` expects something so many milliseconds after the beginning. */
async function expecting(dueMs: number, id = 'e'): Promise<PartitionStage> {
  const stage = new PartitionStage();
  await stage.tell('acme', declared(), raised({ id, dueAtMs: stage.startMs + dueMs }));
  return stage;
}

describe('a deadline that passes while nothing arrives', () => {
  it('lapses once, by one tick, in the first millisecond after it', async () => {
    const stage = await expecting(1_500);
    await start(stage);
    await stage.clock.advance(1_500);
    expect(await stage.events('expectationLapsed')).toEqual([]);
    await stage.clock.advance(1);
    expect(await stage.events('expectationLapsed')).toMatchObject([
      { at: formatInstant(stage.startMs + 1_501), lapse: { lapse: 'overdue' } },
    ]);
    expect(await stage.tickTimes()).toEqual([0, 1_501]);
    await stage.clock.advance(4_999);
    expect(await stage.tickTimes()).toEqual([0, 1_501]);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
  });

  it('is waited for anew when an earlier one is raised, or it is met', async () => {
    const stage = await expecting(4_000);
    await start(stage);
    await stage.clock.advance(500);
    await stage.tell('acme', raised({ id: 'sooner', dueAtMs: stage.startMs + 2_000 }));
    await stage.clock.advance(1_501);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ expectationId: 'sooner' }]);
    await stage.tell('acme', reported(stage.startMs, 'e'));
    await stage.clock.advance(2_500);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    expect(await stage.tickTimes()).toEqual([0, 2_001]);
  });

  it('that passed while nobody decided lapses at once', async () => {
    const stage = await expecting(1_000);
    await stage.clock.advance(86_400_000);
    await start(stage);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ lapse: { dueAt: '2026-09-01T00:00:01Z' } }]);
  });

  it('has at most one tick in flight, however long its append takes', async () => {
    const stage = await expecting(4_000);
    let inFlightCount = 0;
    let mostInFlight = 0;
    class SlowLog extends MemoryEventLog {
      override async append(...call: Parameters<MemoryEventLog['append']>): ReturnType<MemoryEventLog['append']> {
        inFlightCount += 1;
        mostInFlight = Math.max(mostInFlight, inFlightCount);
        await stage.clock.sleep(700);
        inFlightCount -= 1;
        return super.append(...call);
      }
    }
    const log = new SlowLog({ clock: stage.clock, partitionCount: 1 });
    void log.append(0, await stage.inbox());
    await stage.clock.advance(700);
    mostInFlight = 0;
    await start(stage, log);
    await stage.clock.advance(5_000);
    expect(mostInFlight).toBe(1);
    const { end } = await log.bounds('inbox', 0);
    // The records told, the tick of the beginning, and the one after the deadline.
    expect(end).toBe(4);
  });
});

describe('the clock of the log', () => {
  it('is waited for by the difference that an early tick measured, not asked again and again', async () => {
    const stage = await expecting(1_500);
    await start(stage);
    stage.differenceMs = -400;
    await stage.clock.advance(1_900);
    expect(await stage.tickTimes()).toEqual([0, 1_101]);
    await stage.clock.advance(1);
    expect(await stage.tickTimes()).toEqual([0, 1_101, 1_501]);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ at: formatInstant(stage.startMs + 1_501) }]);
  });

  it('counts where it is ahead, as measured at the start', async () => {
    const stage = await expecting(1_500);
    stage.differenceMs = 400;
    await start(stage);
    await stage.clock.advance(1_101);
    expect(await stage.tickTimes()).toEqual([400, 1_501]);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
  });

  it('is measured anew within five seconds where the process’s own is set back', async () => {
    const stage = await expecting(20_000);
    await start(stage);
    await stage.clock.advance(12_000);
    stage.clock.correct(-100_000);
    stage.differenceMs = 100_000;
    await stage.clock.advance(8_002);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    await stage.clock.advance(6_000);
    expect(await stage.tickTimes()).toEqual([0, 5_000, 10_000, 15_000, 20_000, 20_001, 25_001]);
  });

  it('may step back: time waits, and nothing lapses twice', async () => {
    const stage = await expecting(1_000);
    await start(stage);
    await stage.clock.advance(2_000);
    stage.differenceMs = -10_000;
    await stage.tell('acme', raised({ id: 'next', dueAtMs: stage.startMs + 3_000 }));
    await stage.clock.advance(10_000);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    await stage.clock.advance(5_000);
    expect(await stage.events('expectationLapsed')).toMatchObject([{ expectationId: 'e' }, { expectationId: 'next' }]);
  });
});

describe('an idle partition', () => {
  it('ticks every five seconds', async () => {
    const stage = new PartitionStage();
    await start(stage);
    await stage.clock.advance(20_000);
    expect(await stage.tickTimes()).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
  });

  it('says about once a minute how far it is, and goes on from there', async () => {
    const stage = new PartitionStage();
    const first = await start(stage);
    await stage.clock.advance(600_000);
    const moved = await stage.partitionEntries('positionMoved');
    expect(moved.map(({ at }) => Date.parse(at) - stage.startMs)).toEqual(
      Array.from({ length: 11 }, (_, minute) => minute * 60_000),
    );
    first.stop();
    await first.ended;
    await start(stage);
    await stage.clock.advance(59_000);
    expect(await stage.partitionEntries('positionMoved')).toHaveLength(11);
    await stage.clock.advance(6_000);
    expect(await stage.partitionEntries('positionMoved')).toHaveLength(12);
  });

  it('says nothing of its position while decisions say it', async () => {
    const stage = new PartitionStage();
    await stage.tell('acme', declared());
    await start(stage);
    for (let half = 0; half < 10; half += 1) {
      await stage.clock.advance(30_000);
      await stage.tell('acme', declared());
    }
    expect(await stage.partitionEntries('positionMoved')).toEqual([]);
  });

  it('keeps its time over a restart where only the position tells it', async () => {
    const stage = new PartitionStage();
    const first = await start(stage);
    await stage.clock.advance(60_000);
    first.stop();
    await first.ended;
    stage.differenceMs = -60_000;
    await stage.tell('acme', declared());
    await start(stage);
    expect(await stage.events('agentDeclared')).toMatchObject([{ at: formatInstant(stage.startMs + 60_000) }]);
  });
});

describe('another timekeeper on the partition', () => {
  it('fences the first, which writes nothing more, and nothing is decided twice', async () => {
    const stage = await expecting(1_000);
    const first = await start(stage);
    const second = await start(stage);
    expect((await stage.partitionEntries('writerStarted')).map(({ epoch }) => epoch)).toEqual([1, 2]);
    await stage.tell('acme', raised({ id: 'more', dueAtMs: stage.startMs + 5_000 }));
    expect(await first.ended).toBeInstanceOf(FencedError);
    expect(first.loop.notDeciding).toContain('not deciding');
    expect(second.loop.notDeciding).toBeUndefined();
    await stage.clock.advance(2_000);
    expect(await stage.events('expectationRecorded')).toHaveLength(2);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    second.stop();
    expect(await second.ended).toBeUndefined();
  });

  it('of another deployment is refused before it takes anything over', async () => {
    const stage = await expecting(1_000);
    const first = await start(stage);
    const stranger = await start(stage, stage.log, 'elsewhere');
    expect(await stranger.ended).toMatchObject({ reason: 'other_deployment', retryable: false });
    await stage.clock.advance(2_000);
    expect(await stage.events('expectationLapsed')).toHaveLength(1);
    expect(first.loop.notDeciding).toBeUndefined();
  });
});

describe('what stops it', () => {
  it('is its signal, also while it waits or recovers; then it is not ready', async () => {
    const stage = await expecting(1_000);
    const running = await start(stage);
    expect(running.loop.notDeciding).toBeUndefined();
    running.stop();
    expect(await running.ended).toBeUndefined();
    expect(running.loop.notDeciding).toContain('not deciding');
    expect(stage.clock.sleeperCount).toBe(0);
    const stopped = new AbortController();
    stopped.abort();
    await new PartitionLoop(stage.log, stage.clock, 0, 'test').run(stopped.signal);
  });

  it('is an inbox that has lost what is to be decided next', async () => {
    const stage = await expecting(1_000);
    class ShortenedLog extends MemoryEventLog {
      override async bounds(): Promise<{ earliest: number; end: number }> {
        return { earliest: 7, end: 9 };
      }
    }
    const log = new ShortenedLog({ clock: stage.clock, partitionCount: 1 });
    expect(await (await start(stage, log)).ended).toMatchObject({ reason: 'inbox_gap' });
  });

  it('is a ledger that a newer one has written', async () => {
    const stage = await expecting(1_000);
    const parked = { v: 1, type: 'inputParked', position: '0-1', cause: 'x' };
    await stage.writeLedger([{ tenant: null, value: new TextEncoder().encode(JSON.stringify(parked)) }]);
    expect(await (await start(stage)).ended).toMatchObject({ reason: 'newer_ledger' });
  });

  it('is a begun output that the same input would not have', async () => {
    const stage = await expecting(1_000);
    const events = [{ type: 'inputIgnored' as const, at: formatInstant(stage.startMs), why: 'something else' }];
    const at = formatInstant(stage.startMs);
    const begun = { v: 1, tenant: 'acme', at, offset: 0, n: 0, last: false, events } as const;
    await stage.writeLedger([{ tenant: 'acme', value: encodeLedger(begun) }]);
    const running = await start(stage);
    expect(await running.ended).toMatchObject({ message: expect.stringContaining('must say what it said') });
    expect(await stage.entries()).toHaveLength(1);
  });
});

it('does not stop at what cannot be read', async () => {
  const stage = new PartitionStage();
  await start(stage);
  await stage.append([
    { tenant: 'acme', value: new Uint8Array([0xff]) },
    { tenant: null, value: new Uint8Array([0xff]) },
    { tenant: 'acme', value: encodeInbox(declared()) },
  ]);
  expect((await stage.entries()).map(({ events }) => events[0]?.type)).toEqual(['inputIgnored', 'agentDeclared']);
});
