// A timekeeper that stops anywhere, and others that come: the ledger is the one of a timekeeper that never stopped.
import { Logger } from '@nestjs/common';
import {
  encodeLedger,
  type EventLog,
  FencedError,
  LogUnavailableError,
  type LogRecord,
  type NewRecord,
} from '#event-log';
import {
  declared,
  decidedTexts,
  drawnInbox,
  FailingEventLog,
  type FailureMoment,
  inboxRecord,
  PartitionStage,
  raised,
  type StampedRecord,
} from '#testing';
import { cut } from './decided-run.ts';
import { PartitionDecider } from './partition-decider.ts';
import { PartitionLoop } from './partition-loop.ts';

// What is told of clocks that a test sets is no news.
Logger.overrideLogger(false);

const tenants = ['acme', 'other', 'third'];
const dueAtMs = Date.parse('2026-09-01T01:00:00Z');

/** The ledger of an inbox, decided in one go and without a log. */
function replayed(inbox: readonly LogRecord[]): NewRecord[] {
  const decider = new PartitionDecider();
  return inbox
    .flatMap((record) => [...cut(record.offset, decider.decide(record))])
    .map((entry) => ({ tenant: entry.tenant, value: encodeLedger(entry) }));
}

interface Keeping {
  stop(): Promise<void>;
}

/** Runs the partition as the process does: again after a fault, until it is fenced or stopped. A bug fails the test. */
async function keep(stage: PartitionStage, log: EventLog): Promise<Keeping> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = (async () => {
    while (!signal.aborted) {
      try {
        await new PartitionLoop(log, stage.clock, 0, 'test').run(signal);
      } catch (error) {
        if (error instanceof FencedError) return;
        if (!(error instanceof LogUnavailableError)) throw error;
      }
    }
  })();
  await stage.clock.settle();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** Tells the log records in runs of so many, with a timekeeper at work that meets one failure. */
async function decidedThrough(
  records: readonly StampedRecord[],
  run: number,
  failsAtCall: number,
  moment: FailureMoment,
): Promise<{ stage: PartitionStage; log: FailingEventLog }> {
  const stage = new PartitionStage();
  const log = new FailingEventLog(stage.log, failsAtCall, moment);
  const keeping = await keep(stage, log);
  for (let from = 0; from < records.length; from += run) {
    await stage.appendStamped(records.slice(from, from + run));
  }
  await keeping.stop();
  return { stage, log };
}

describe.each<FailureMoment>(['before', 'after'])('a log that is away at one call, %s it took effect', (moment) => {
  it('leaves the ledger as it would have been, whichever call it is', async () => {
    const records = drawnInbox(31, 0, tenants.slice(0, 2));
    let isOver = false;
    for (let failsAtCall = 0; !isOver; failsAtCall += 1) {
      const { stage, log } = await decidedThrough(records, 10, failsAtCall, moment);
      expect({ failsAtCall, ledger: await stage.decided() }).toEqual({
        failsAtCall,
        ledger: decidedTexts(replayed(await stage.inbox())),
      });
      expect(log.appendsAfterFailureCount).toBe(0);
      isOver = log.callCount < failsAtCall;
    }
  });
});

it.each<[number, FailureMoment]>([
  [1, 'after'],
  [2, 'before'],
])('a herd’s transaction %s of 2 fails %s it took effect: it is written to its end, once', async (nth, moment) => {
  const records = herd(6_000);
  const stage = new PartitionStage();
  const log = new FailingEventLog(stage.log, Infinity, moment);
  const keeping = await keep(stage, log);
  await stage.appendStamped(records.slice(0, -1));
  // The next call reads the tick.
  log.failsAtCall = log.callCount + nth;
  await stage.appendStamped(records.slice(-1));
  // It is decided in pieces, between which others have their turn.
  while ((await stage.events('expectationLapsed')).length < 6_000) await stage.clock.settle();
  await keeping.stop();
  expect(await stage.partitionEntries('writerStarted')).toHaveLength(2);
  expect(log.appendsAfterFailureCount).toBe(0);
  expect(await stage.decided()).toEqual(decidedTexts(replayed(await stage.inbox())));
  expect(await stage.events('expectationLapsed')).toHaveLength(6_000);
});

/** Expectations in artifacts of 1,000 each, and a tick at which all of them lapse, after two at which nothing does. */
function herd(count: number): StampedRecord[] {
  const artifacts = Array.from({ length: Math.ceil(count / 1_000) }, (_, part) =>
    raised(...Array.from({ length: Math.min(count, 1_000) }, (_, nth) => ({ id: `${part}-${nth}`, dueAtMs }))),
  );
  const inputs = [declared(), ...artifacts].map((input) => ({
    ...inboxRecord('acme', input),
    appendedAt: dueAtMs - 9,
  }));
  const ticks = [dueAtMs - 8, dueAtMs, dueAtMs + 1].map((appendedAt) => {
    return { ...inboxRecord('acme', { type: 'tick' }), appendedAt };
  });
  return [...inputs, ...ticks];
}

it.each([0, 1, 2, 3])(
  'a herd of which %s of 3 records were written is written to its end, once',
  async (writtenCount) => {
    const records = herd(150);
    const stage = new PartitionStage();
    await stage.appendStamped(records);
    const whole = replayed(await stage.inbox());
    const ofTick = whole.length - 3;
    await stage.writeLedger(whole.slice(0, ofTick + writtenCount));
    const keeping = await keep(stage, stage.log);
    await keeping.stop();
    expect(await stage.decided()).toEqual(decidedTexts(whole));
    expect(await stage.events('expectationLapsed')).toHaveLength(150);
  },
);

it('an uninterrupted run over a recorded inbox writes the ledger that came of it, byte for byte', async () => {
  const { stage } = await decidedThrough(drawnInbox(32, 0, tenants), 5, 20, 'after');
  const again = new PartitionStage();
  await again.appendStamped(await stage.inbox());
  const before = (await again.inbox()).length;
  const keeping = await keep(again, again.log);
  await keeping.stop();
  const decided = await again.decided();
  expect(decided.slice(0, (await stage.decided()).length)).toEqual(await stage.decided());
  // What comes after is the tick with which every timekeeper begins.
  expect((await again.inbox()).length).toBe(before + 1);
});

describe('timekeepers that come, go, and fail at random', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('decide each input once, seed %s', async (seed) => {
    const chosen = choices(seed);
    const stage = new PartitionStage();
    const records = [...drawnInbox(33, seed, tenants)];
    const keepings: Keeping[] = [];
    const failing: FailingEventLog[] = [];
    while (records.length > 0) {
      const choice = chosen();
      if (choice < 0.5) await stage.appendStamped(records.splice(0, 1 + Math.floor(chosen() * 8)));
      else if (choice < 0.6) await stage.clock.advance(Math.floor(chosen() * 8_000));
      else if (choice < 0.75) await keepings.splice(Math.floor(chosen() * keepings.length), 1)[0]?.stop();
      else {
        const log = new FailingEventLog(stage.log, Math.floor(chosen() * 30), chosen() < 0.5 ? 'before' : 'after');
        failing.push(log);
        keepings.push(await keep(stage, log));
      }
    }
    keepings.push(await keep(stage, stage.log));
    await stage.clock.settle();
    await Promise.all(keepings.map((keeping) => keeping.stop()));
    expect(await stage.decided()).toEqual(decidedTexts(replayed(await stage.inbox())));
    for (const log of failing) expect(log.appendsAfterFailureCount).toBe(0);
  });
});

/** Fractions that the same seed gives again. */
function choices(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
