// Sinks that do not take what they are told: nobody else waits for them, and who sends ends some time.
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { systemClock } from '#runtime';
import { DispatchStory, lapsesEvent, NoticeRig, type ReceivedWebhook, until, WebhookReceiver } from '#testing';
import { Dispatcher } from '../dispatcher.ts';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { NoticeMetrics } from './notice-metrics.ts';

let dispatcher: Dispatcher;
const rig = new NoticeRig(openDispatchDatabase, (ports) => (dispatcher = new Dispatcher(...ports)));

const idsIn = (received: readonly ReceivedWebhook[]) =>
  received.flatMap((each) => lapsesEvent(each).data.lapses.map(({ expectationId }) => expectationId)).sort();

beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

describe('a sink that does not take it', () => {
  it('gets the same notification again, and what lapsed meanwhile after it', async () => {
    rig.addSink('events');
    rig.receiver.answers.push(503, 503);
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await rig.dispatch.story.raise('booking', 'e2');
    await rig.untilReceived(4);
    await rig.untilNoneLeft();
    const ids = rig.receiver.received.map((each) => lapsesEvent(each).id);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(idsIn(rig.receiver.received.slice(2))).toEqual(['e1', 'e2']);
  });

  it('gets it after a restart, from another dispatcher', async () => {
    rig.addSink('events');
    rig.receiver.isHanging = true;
    const first = rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await rig.dispatch.stop(first);
    rig.receiver.isHanging = false;
    rig.dispatch.start({});
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    const [one, other] = rig.receiver.received.map((each) => lapsesEvent(each).id);
    expect(other).toBe(one);
  });

  it('delays no other sink', async () => {
    const hanging = await new WebhookReceiver().start();
    hanging.isHanging = true;
    rig.addSink('dead', { url: hanging.url });
    rig.addSink('events');
    rig.dispatch.start({});
    for (const id of ['e1', 'e2', 'e3']) await rig.dispatch.story.raise('booking', id);
    await until(() => idsIn(rig.receiver.received).length === 3, 'all lapses at the other sink');
    expect(hanging.received.length).toBeLessThanOrEqual(1);
    await hanging.close();
  });

  it('delays no other tenant, however many its tenant has', async () => {
    const hanging = await new WebhookReceiver().start();
    hanging.isHanging = true;
    const umbrella = new DispatchStory('umbrella', rig.dispatch.story);
    for (let index = 0; index < 20; index += 1) rig.addSink(`dead-${index}`, { url: hanging.url });
    rig.addSink('theirs', {}, {}, umbrella.tenant);
    await umbrella.declare('booking');
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await until(() => hanging.received.length === 4, 'as many calls as one tenant may have');
    await umbrella.raise('booking', 'u1');
    await rig.untilReceived(1);
    expect(idsIn(rig.receiver.received)).toEqual(['u1']);
    expect(hanging.received).toHaveLength(4);
    await hanging.close();
  });

  const valueOf = async (name: string, labels: object = {}) => {
    const metrics = await new NoticeMetrics(dispatcher, rig.dispatch.database).collect();
    const samples = metrics.find((family) => family.name === name)?.samples ?? [];
    const fitting = samples.filter((sample) =>
      Object.entries(labels).every(([key, of]) => sample.labels?.[key] === of),
    );
    return fitting.reduce((sum, { value }) => sum + value, 0);
  };

  it('is given up after a day, which is counted', async () => {
    rig.addSink('events');
    let aheadMs = 0;
    rig.receiver.answers.push(...Array.from({ length: 1_000 }, () => 500));
    rig.dispatch.start({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } });
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    await until(() => rig.failures.length > 0, 'the failure to be noted');
    expect(rig.failures[0]).toMatchObject({ tenant: 'acme', sinkId: 'events', cause: 'it answered with 500' });
    expect(rig.failures[0]?.isGivenUp).toBe(false);
    await expect(valueOf('duewatch_notices')).resolves.toBe(1);
    aheadMs = 25 * 3_600_000;
    await rig.untilNoneLeft();
    await until(() => rig.failures.at(-1)?.isGivenUp === true, 'it to be noted');
    await expect(valueOf('duewatch_notices')).resolves.toBe(0);
    await expect(valueOf('duewatch_notices_given_up_total', { reason: 'untaken' })).resolves.toBe(1);
    await expect(valueOf('duewatch_notices_given_up_total', { reason: 'refused' })).resolves.toBe(0);
  });

  it('for good is not asked again: that is counted, noted and logged, and the next lapse is told it', async () => {
    rig.addSink('events');
    const warn = jest.spyOn(Logger.prototype, 'warn');
    rig.receiver.answers.push(403);
    rig.dispatch.start({});
    await rig.dispatch.story.raiseAll('booking', ['e1', 'e2']);
    await until(() => rig.failures.length > 0, 'it to be noted');
    await rig.untilNoneLeft();
    expect(rig.failures).toMatchObject([{ sinkId: 'events', cause: 'it answered with 403', isGivenUp: true }]);
    await expect(valueOf('duewatch_notices_given_up_total', { reason: 'refused' })).resolves.toBe(1);
    expect(warn).toHaveBeenCalledWith(
      'sink "events" of tenant "acme" is not told of 2 lapses: it refuses that for good: it answered with 403',
    );
    await rig.dispatch.story.raise('booking', 'e3');
    await rig.untilReceived(2);
    await rig.untilNoneLeft();
    expect(rig.receiver.received.map((each) => lapsesEvent(each).data.lapses.length)).toEqual([2, 1]);
  });

  it('is not tried any more once it is removed', async () => {
    rig.addSink('events');
    rig.receiver.answers.push(...Array.from({ length: 1_000 }, () => 500));
    rig.dispatch.start({});
    await rig.dispatch.story.raise('booking', 'e1');
    await rig.untilReceived(1);
    rig.sinks = [];
    await rig.untilNoneLeft();
  });
});

it('two dispatchers at once announce each lapse once: whoever has lost the partition writes nothing', async () => {
  rig.addSink('events');
  const first = rig.dispatch.start({});
  await rig.dispatch.story.raiseAll('booking', ['e1', 'e2']);
  await rig.untilReceived(1);
  await rig.untilNoneLeft();
  rig.dispatch.start({});
  for (const id of ['e3', 'e4', 'e5']) await rig.dispatch.story.raise('booking', id);
  await until(() => idsIn(rig.receiver.received).length >= 5, 'all lapses');
  await expect(first.served).resolves.toBe('fenced');
  await rig.untilNoneLeft();
  const ids = new Set(rig.receiver.received.map((each) => lapsesEvent(each).id));
  const once = [...ids].map(
    (id) => rig.receiver.received.find((each) => lapsesEvent(each).id === id) as ReceivedWebhook,
  );
  expect(idsIn(once)).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
});
