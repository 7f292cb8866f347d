// An agent that is down for two days, over real HTTP: only the clock is virtual. On its return it gets what lapsed
// meanwhile, in order, at its rate, and nothing that was satisfied.
import { jest } from '@jest/globals';
import { SdkMessenger } from '#protocol';
import { type Clock, systemClock } from '#runtime';
import { DispatchRig, FakeAgent, loopbackOutbound, ManualClock } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const lapsesCount = 10_000;
const anArtifact = 500;
const twoDaysMs = 172_800_000;
const startMs = Date.parse('2026-09-01T00:00:00Z');
/** What the dispatcher's parts sleep while there is nothing to do. */
const idleMs = [15_000, 30_000, 60_000];
/** Of the machine's own time, for one stretch of it on a machine that is busy. */
const mostMs = 600_000;
/** A round that was under way when the rate was looked at. */
const aRound = 4;

const manual = new ManualClock(startMs);
/** How many wait for an instant, rather than for something to do. */
let waitingCount = 0;
const clock: Clock = {
  now: () => manual.now(),
  sleep: async (durationMs, signal) => {
    const waits = idleMs.includes(durationMs) ? 0 : 1;
    waitingCount += waits;
    await manual.sleep(durationMs, signal);
    waitingCount -= waits;
  },
};

/** When each send began, by the virtual clock. */
const sentAtMs: number[] = [];

const rig = new DispatchRig<undefined>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const sdk = new SdkMessenger({ outbound: loopbackOutbound(), now: () => manual.now() });
  const messenger: typeof sdk.send = (...parameters) => {
    sentAtMs.push(manual.now());
    return sdk.send(...parameters);
  };
  const port = { timeoutMs: sdk.timeoutMs, send: messenger, find: sdk.find.bind(sdk) };
  const random = { fraction: () => 0.99 };
  return new Dispatcher(story.log, database, directory, port, clock, random, undefined, {});
});

beforeAll(async () => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  await rig.open();
  await rig.begin();
});
afterAll(async () => {
  await rig.end();
  await rig.close();
});

/** Lets time pass where somebody waits for it, until the condition holds. */
async function pass(stepMs: number, condition: () => boolean): Promise<void> {
  const deadlineMs = systemClock.now() + mostMs;
  while (!condition()) {
    if (systemClock.now() > deadlineMs) throw new Error(`waited in vain, ${manual.now() - startMs} ms from the start`);
    if (waitingCount > 0) await manual.advance(stepMs);
    await systemClock.sleep(0);
  }
}

const idOf = (messageId: string): string => messageId.split(':')[1] ?? '';

it(
  'gets on its return what lapsed meanwhile, each once, in order, at its rate, and nothing that was satisfied',
  async () => {
    const { port } = new URL(rig.agent.url);
    await rig.agent.stop();
    rig.start(undefined);
    const ids = Array.from({ length: lapsesCount }, (_, nth) => `e${nth}`);
    for (let from = 0; from < lapsesCount; from += anArtifact) {
      await rig.story.raiseAll('booking', ids.slice(from, from + anArtifact));
    }
    await rig.untilOutbox(lapsesCount);

    await pass(600_000, () => manual.now() >= startMs + twoDaysMs / 2);
    const satisfiedEarly = ids.filter((_, nth) => nth % 33 === 0);
    await rig.story.report(...satisfiedEarly);
    await rig.untilOutbox(lapsesCount - satisfiedEarly.length);
    await pass(600_000, () => manual.now() >= startMs + twoDaysMs);
    const triesCount = sentAtMs.length;
    // Never given up, and at the longest wait not flooded.
    expect(triesCount).toBeGreaterThan(100);
    expect(triesCount).toBeLessThan(twoDaysMs / 594_000 + 20);

    const agent = (rig.agent = await FakeAgent.start('JSONRPC', '1.0', {}, Number(port)));
    await pass(400, () => agent.received.length >= lapsesCount / 4);
    const satisfiedLate = ids.slice(-lapsesCount / 10).filter((_, nth) => nth % 5 === 1);
    await rig.story.report(...satisfiedLate);
    const satisfied = new Set([...satisfiedEarly, ...satisfiedLate]);
    const expected = ids.filter((id) => !satisfied.has(id));
    await pass(400, () => agent.received.length >= expected.length);
    await rig.untilOutbox(0);

    const { tasks } = agent.kept;
    expect(tasks.flatMap(({ messageIds }) => messageIds.map(idOf)).sort()).toEqual([...expected].sort());
    const placeOf = new Map(expected.map((id, place) => [id, place]));
    const moved = agent.received.map(({ messageId }, place) => Math.abs(placeOf.get(idOf(messageId))! - place));
    expect(Math.max(...moved)).toBeLessThan(aRound);
    const delivered = sentAtMs.slice(triesCount);
    const inAMinute = delivered.map(
      (fromMs, nth) => delivered.findLastIndex((atMs) => atMs < fromMs + 60_000) - nth + 1,
    );
    expect(Math.max(...inAMinute)).toBeLessThanOrEqual(600 + 20 + aRound);
    expect(Math.max(...inAMinute)).toBeGreaterThan(500);
  },
  2 * mostMs,
);
