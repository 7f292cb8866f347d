// What holds a lapse that nobody has called off: a pause, and the settle time of one that was skipped.
import { jest } from '@jest/globals';
import type { DispatchPauseRequested } from '#event-log';
import { formatInstant } from '#expectations';
import { SdkMessenger } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, loopbackOutbound, ManualClock, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const sdk = new SdkMessenger({ outbound: loopbackOutbound(), now: () => systemClock.now() });
const options = { backoff: { baseMs: 20, capMs: 200 }, stopGraceMs: 0 };
const hourMs = 3_600_000;

/** The dispatcher's clock. */
let clock: ManualClock;

const rig = new DispatchRig<object>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  return new Dispatcher(story.log, database, directory, sdk, clock, random, undefined, options);
});

beforeAll(() => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => {
  clock = new ManualClock(systemClock.now());
  return rig.begin();
});
afterEach(() => rig.end());

/** Lets a second pass again and again until so many lapses are acknowledged; the log may be told so of one twice. */
async function untilAcknowledged(count: number): Promise<readonly string[]> {
  await passUntil(async () => (await acknowledged()).length >= count);
  return acknowledged();
}

async function acknowledged(): Promise<readonly string[]> {
  return [...new Set((await rig.story.decided('dispatchAcknowledged')).map(({ expectationId }) => expectationId))];
}

function passUntil(condition: () => Promise<boolean>): Promise<void> {
  return until(async () => {
    await clock.advance(1_000);
    return condition();
  });
}

const attempted = async () => (await rig.story.decided('dispatchAttempted')).map(({ expectationId }) => expectationId);

function pause(fields: Partial<DispatchPauseRequested> = {}): Promise<void> {
  return rig.story.tell({
    type: 'dispatchPauseRequested',
    ...{ pauseId: 'p', scope: {}, reason: 'they move house', by: 'olga' },
    until: formatInstant(clock.now() + 5 * hourMs),
    ...fields,
  });
}

const ofSubject = (id: string) => ({ scope: { subject: { type: 'flight', id } } });
const resume = () => rig.story.tell({ type: 'dispatchPauseEndRequested', pauseId: 'p', by: 'olga' });

describe('under a pause, a lapse', () => {
  it('is neither asked for nor sent, and is sent as it lapsed once the pause is over', async () => {
    rig.start({});
    await pause(ofSubject('e1'));
    await rig.story.raise('booking', 'e1');
    await rig.story.raise('booking', 'e2');
    expect(await untilAcknowledged(1)).toEqual(['e2']);
    await clock.advance(4 * hourMs);
    await rig.story.raise('booking', 'e3');
    expect(await untilAcknowledged(2)).toEqual(['e2', 'e3']);
    expect(await attempted()).toEqual(['e2', 'e3']);
    await clock.advance(hourMs);
    expect(await untilAcknowledged(3)).toEqual(['e2', 'e3', 'e1']);
    const lapsed = (await rig.story.decided('expectationLapsed')).find(({ expectationId }) => expectationId === 'e1');
    expect(Object.values(rig.agent.received.at(-1)?.metadata ?? {})).toEqual([{ lapse: lapsed?.lapse }]);
  });

  it('that is satisfied meanwhile is never sent, and the others are once it is ended', async () => {
    rig.start({});
    await pause();
    await rig.story.raise('booking', 'e1');
    await rig.story.raise('booking', 'e2');
    await rig.untilOutbox(2);
    await rig.story.report('e1');
    await rig.untilOutbox(1);
    await resume();
    expect(await untilAcknowledged(1)).toEqual(['e2']);
    expect(await attempted()).toEqual(['e2']);
    await expect(rig.story.decided('dispatchVoided')).resolves.toMatchObject([
      { expectationId: 'e1', cause: 'satisfied', attempt: 0 },
    ]);
  });

  it('that has leave already is not sent, and is once the pause is over', async () => {
    rig.agent.sendFaults.push({ status: 503, headers: { 'retry-after': '30' } });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await pause(ofSubject('e1'));
    await rig.story.raise('booking', 'e2');
    expect(await untilAcknowledged(1)).toEqual(['e2']);
    await clock.advance(hourMs);
    await rig.story.raise('booking', 'e3');
    expect(await untilAcknowledged(2)).toEqual(['e2', 'e3']);
    await clock.advance(4 * hourMs);
    expect(await untilAcknowledged(3)).toEqual(['e2', 'e3', 'e1']);
  });

  it('that may be with the agent is looked for all the same', async () => {
    rig.agent.sendFaults.push('cut');
    rig.agent.lookUpFaults.push({ status: 503 });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await pause();
    expect(await untilAcknowledged(1)).toEqual(['e1']);
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('waits over a restart, a loss of the tables, and with whoever takes the partition over', async () => {
    const first = rig.start({});
    await pause(ofSubject('e1'));
    await rig.story.raise('booking', 'e1');
    await rig.untilOutbox(1);
    await rig.stop(first);
    await rig.story.raise('booking', 'e2');
    const second = rig.start({});
    expect(await untilAcknowledged(1)).toEqual(['e2']);
    await rig.stop(second);
    await rig.loseTables();
    await rig.story.raise('booking', 'e3');
    rig.start({});
    expect(await untilAcknowledged(2)).toEqual(['e2', 'e3']);
    rig.start({});
    await rig.story.raise('booking', 'e4');
    expect(await untilAcknowledged(3)).toEqual(['e2', 'e3', 'e4']);
    expect(await attempted()).not.toContain('e1');
    await resume();
    expect(await untilAcknowledged(4)).toEqual(['e2', 'e3', 'e4', 'e1']);
  });
});

describe('a pause', () => {
  it('counts as it was given first: the same again neither moves its end nor begins it anew', async () => {
    rig.start({});
    await pause();
    await pause({ until: formatInstant(clock.now() + 50 * hourMs) });
    await rig.story.raise('booking', 'e1');
    await rig.untilOutbox(1);
    await clock.advance(5 * hourMs);
    expect(await untilAcknowledged(1)).toEqual(['e1']);
    await pause({ until: formatInstant(clock.now() + 50 * hourMs) });
    await rig.story.raise('booking', 'e2');
    expect(await untilAcknowledged(2)).toEqual(['e1', 'e2']);
  });

  it('that is ended stays so, whatever is said of it again', async () => {
    rig.start({});
    await pause();
    await resume();
    await resume();
    await pause();
    await rig.story.raise('booking', 'e1');
    expect(await untilAcknowledged(1)).toEqual(['e1']);
  });

  it('of time to come holds nothing before it', async () => {
    rig.start({});
    await pause({ from: formatInstant(clock.now() + hourMs) });
    await rig.story.raise('booking', 'e1');
    expect(await untilAcknowledged(1)).toEqual(['e1']);
    await clock.advance(hourMs);
    await rig.story.raise('booking', 'e2');
    await rig.untilOutbox(1);
    await clock.advance(hourMs);
    await rig.untilState('pending');
    await resume();
    expect(await untilAcknowledged(2)).toEqual(['e1', 'e2']);
  });

  it('holds what fits all of its scope, and nothing else', async () => {
    rig.targets.set('customs', { card: rig.agent.card });
    await rig.story.declare('customs');
    rig.start({});
    const subject = { type: 'flight', id: 'e1' };
    await pause({ scope: { agentId: 'booking', kind: 'departure', subject } });
    await pause({ pauseId: 'other kind', scope: { kind: 'arrival' } });
    await pause({ pauseId: 'other subject', scope: { subject: { type: 'ship', id: 'e1' } } });
    await pause({ pauseId: 'of an agent', scope: { agentId: 'customs', kind: 'departure' } });
    await rig.story.raise('booking', 'e1');
    await rig.story.raise('booking', 'e2');
    await rig.story.raise('customs', 'e1', { expectationId: 'c1', subject });
    await rig.story.raise('booking', 'e3', { subject: { type: 'flight', id: 'other' } });
    await untilAcknowledged(2);
    expect([...(await attempted())].sort()).toEqual(['e2', 'e3']);
    await clock.advance(5 * hourMs);
    await untilAcknowledged(4);
    expect([...(await attempted())].sort()).toEqual(['c1', 'e1', 'e2', 'e3']);
  });
});

describe('a skipped lapse', () => {
  const day = { dueAt: formatInstant(systemClock.now() + 24 * hourMs), subject: { type: 'flight', id: 'f' } };

  async function skip(first: string, second: string): Promise<void> {
    await rig.story.raise('booking', first, day);
    await rig.story.raise('booking', second, { ...day, after: [first] });
    await rig.story.report(second);
  }

  it('is sent once its settle time is over, and not before', async () => {
    rig.start({});
    await skip('s1', 's2');
    await rig.untilOutbox(1);
    await rig.story.raise('booking', 'e1');
    await until(async () => (await attempted()).length > 0);
    await clock.settle();
    expect(await attempted()).toEqual(['e1']);
    await clock.advance(9_000);
    await rig.story.raise('booking', 'e2');
    await until(async () => (await attempted()).length > 1);
    expect(await attempted()).toEqual(['e1', 'e2']);
    await clock.advance(11_000);
    await untilAcknowledged(3);
    expect(await attempted()).toEqual(['e1', 'e2', 's1']);
  });

  it('is dropped where its fact comes within it', async () => {
    rig.start({});
    await skip('s1', 's2');
    await rig.untilOutbox(1);
    await rig.story.report('s1');
    await rig.untilOutbox(0);
    await clock.advance(hourMs);
    await rig.story.raise('booking', 'e1');
    expect(await untilAcknowledged(1)).toEqual(['e1']);
    expect(await attempted()).toEqual(['e1']);
  });

  it('is sent at once where the tenant, or the agent before it, wants it so', async () => {
    await rig.story.tell({ type: 'configured', settings: { skippedSettleTime: 'PT1H' } });
    await rig.story.tell({ type: 'configured', agentId: 'booking', settings: { skippedSettleTime: 'PT0S' } });
    rig.start({});
    await skip('s1', 's2');
    await rig.story.untilDecided('dispatchAttempted');
    expect(await attempted()).toEqual(['s1']);
  });

  it('waits as its tenant wants it', async () => {
    await rig.story.tell({ type: 'configured', settings: { skippedSettleTime: 'PT2H' } });
    rig.start({});
    await skip('s1', 's2');
    await rig.untilOutbox(1);
    await clock.advance(hourMs);
    await rig.story.raise('booking', 'e1');
    expect(await untilAcknowledged(1)).toEqual(['e1']);
    await clock.advance(hourMs);
    expect(await untilAcknowledged(2)).toEqual(['e1', 's1']);
  });

  it('of long ago is not delayed by tables made again', async () => {
    const first = rig.start({});
    await skip('s1', 's2');
    await rig.untilOutbox(1);
    await rig.stop(first);
    await rig.loseTables();
    await clock.advance(hourMs);
    rig.start({});
    await rig.story.untilDecided('dispatchAttempted');
    expect(await attempted()).toEqual(['s1']);
  });
});
