import { jest } from '@jest/globals';
import type { EventLog } from '#event-log';
import { type MetricSource, systemClock } from '#runtime';
import { SdkMessenger } from '#protocol';
import { DispatchRig, loopbackOutbound, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { DispatcherMetrics } from './dispatcher-metrics.ts';
import { FollowMetrics } from './follow-metrics.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

function make({ story, database, targets }: DispatchRig<undefined>): Dispatcher {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const messenger = new SdkMessenger({ outbound: loopbackOutbound(), now: () => systemClock.now() });
  const options = { backoff: { baseMs: 20, capMs: 200 } };
  const random = { fraction: () => 0.5 };
  return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
}

let dispatcher: Dispatcher;
const rig = new DispatchRig<undefined>(openDispatchDatabase, (of) => (dispatcher = make(of)));

beforeAll(() => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

async function samplesOf(source: MetricSource, name: string) {
  return (await source.collect()).find((family) => family.name === name)?.samples ?? [];
}

it('says how old the oldest lapse is that an agent has not taken, and that none is once it has', async () => {
  rig.start(undefined);
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const metrics = new DispatcherMetrics(dispatcher, rig.database, clock);
  const ages = () => samplesOf(metrics, 'duewatch_undelivered_oldest_seconds');
  const { partition } = rig.story;
  await rig.agent.stop();
  await rig.story.raise('booking', 'e1');
  await rig.untilOutbox(1);
  aheadMs = 3_600_000;
  const [of0 = { value: NaN }, of1 = { value: NaN }] = await ages();
  const [waiting, other] = partition === 0 ? [of0, of1] : [of1, of0];
  expect(waiting).toEqual({ labels: { partition }, value: expect.any(Number) });
  expect(waiting.value).toBeGreaterThanOrEqual(3_600);
  expect(other.value).toBe(0);
  const counts = await samplesOf(metrics, 'duewatch_dispatches');
  expect(counts).toEqual([{ labels: { partition, state: expect.any(String) }, value: 1 }]);
  expect(JSON.stringify(await metrics.collect())).not.toMatch(/acme|booking|e1/);

  await rig.story.report('e1');
  await rig.untilOutbox(0);
  expect((await ages()).map(({ value }) => value)).toEqual([0, 0]);
  expect(await samplesOf(metrics, 'duewatch_dispatches')).toEqual([]);
});

it('does not count what is parked as undelivered, nor another process’s partition', async () => {
  const { partition } = rig.story;
  rig.targets.clear();
  const running = rig.start(undefined);
  await rig.story.raise('booking', 'e1');
  await rig.untilState('parked');
  const metrics = new DispatcherMetrics(dispatcher, rig.database, systemClock);
  expect(await samplesOf(metrics, 'duewatch_dispatches')).toEqual([
    { labels: { partition, state: 'parked' }, value: 1 },
  ]);
  expect((await samplesOf(metrics, 'duewatch_undelivered_oldest_seconds')).map(({ value }) => value)).toEqual([0, 0]);
  await rig.stop(running);
  const elsewhere = make(rig);
  const leaving = new AbortController();
  const served = elsewhere.serve(1 - partition, leaving.signal);
  expect(await samplesOf(new DispatcherMetrics(elsewhere, rig.database, systemClock), 'duewatch_dispatches')).toEqual(
    [],
  );
  leaving.abort();
  await served;
});

it('counts what waits for a pause as held, and not as undelivered', async () => {
  const { partition } = rig.story;
  rig.start(undefined);
  const until = new Date(systemClock.now() + 3_600_000).toISOString();
  const pause = { pauseId: 'p', scope: {}, reason: 'they move house', until, by: 'olga' };
  await rig.story.tell({ type: 'dispatchPauseRequested', ...pause });
  await rig.story.raise('booking', 'e1');
  await rig.untilOutbox(1);
  const later = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
  const figures = async (clock: typeof systemClock, name: string) =>
    (await samplesOf(new DispatcherMetrics(dispatcher, rig.database, clock), name)).filter(
      ({ labels }) => labels?.['partition'] === partition,
    );
  const [held] = await figures(systemClock, 'duewatch_dispatches');
  expect(held).toEqual({ labels: { partition, state: 'held' }, value: 1 });
  const [none] = await figures(systemClock, 'duewatch_undelivered_oldest_seconds');
  expect(none?.value).toBe(0);
  const [pending] = await figures(later, 'duewatch_dispatches');
  expect(pending?.labels).toMatchObject({ state: 'pending' });
  const [oldest] = await figures(later, 'duewatch_undelivered_oldest_seconds');
  expect(oldest?.value).toBeGreaterThanOrEqual(3_600);
});

it('says how much of the ledger it has not read, of the partitions that it serves', async () => {
  const running = rig.start(undefined);
  const { partition, log } = rig.story;
  const lags = (of: Pick<EventLog, 'bounds'>) =>
    samplesOf(new FollowMetrics(of as EventLog, dispatcher), 'duewatch_dispatch_ledger_lag_records');
  const all = [0, 1].map((each) => ({ labels: { partition: each }, value: 0 }));
  await until(async () => JSON.stringify(await lags(log)) === JSON.stringify(all), 'the ledger to be read');
  const { end } = await log.bounds('ledger', partition);
  const longer = { bounds: async () => ({ earliest: 0, end: end + 3 }) };
  expect(await lags(longer)).toContainEqual({ labels: { partition }, value: 3 });
  await rig.stop(running);
  expect(await lags(longer)).toEqual([]);
});
