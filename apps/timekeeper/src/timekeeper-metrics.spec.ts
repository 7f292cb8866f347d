// What the timekeeper says of itself while deadlines pass that nobody judges.
import { Logger } from '@nestjs/common';
import { encodeLedger, type EventLog, LogUnavailableError } from '#event-log';
import type { MetricFamily, MetricSource } from '#runtime';
import { Memberships } from '#serving';
import { declared, PartitionStage, raised, reported, TestShare } from '#testing';
import { InboxMetrics } from './inbox-metrics.ts';
import { TimekeeperMetrics } from './timekeeper-metrics.ts';
import { Timekeeper } from './timekeeper.ts';

beforeAll(() => Logger.overrideLogger(false));

let stage: PartitionStage;
let isAway = false;
const leaves: (() => Promise<void>)[] = [];
beforeEach(() => {
  stage = new PartitionStage();
  isAway = false;
});
afterEach(async () => {
  for (const leave of leaves.splice(0)) await leave();
});

async function start(): Promise<{ metrics: TimekeeperMetrics; inbox: InboxMetrics }> {
  const { log } = stage;
  const shaky = new Proxy<EventLog>(log, {
    get: (_, name: keyof EventLog) => {
      const member = log[name];
      if (typeof member !== 'function') return member;
      const call = member.bind(log) as (...parameters: unknown[]) => unknown;
      return (...parameters: unknown[]) =>
        isAway ? Promise.reject(new LogUnavailableError('the log is away')) : call(...parameters);
    },
  });
  const onFatal = (error: unknown): void => {
    throw error;
  };
  const timekeeper = new Timekeeper(shaky, stage.clock, 'test', onFatal, new Memberships());
  const membership = new TestShare([0]).join('timekeeper', (partition, signal) => timekeeper.serve(partition, signal));
  leaves.push(() => membership.leave());
  await stage.clock.settle();
  return { metrics: new TimekeeperMetrics(timekeeper, stage.clock), inbox: new InboxMetrics(shaky, timekeeper) };
}

async function samplesOf(source: MetricSource, name: string): Promise<MetricFamily['samples'] | undefined> {
  return (await source.collect()).find((family) => family.name === name)?.samples;
}

const valueOf = async (source: MetricSource, name: string) => (await samplesOf(source, name))?.[0]?.value;

const due = (id: string, ms: number) => raised({ id, dueAtMs: stage.startMs + ms });

it('is not behind while what falls due is judged', async () => {
  const { metrics } = await start();
  await stage.tell('acme', declared(), due('e', 60_000));
  await stage.clock.advance(30_000);
  expect(await samplesOf(metrics, 'duewatch_judgement_lag_seconds')).toEqual([{ labels: { partition: 0 }, value: 0 }]);
  expect(await valueOf(metrics, 'duewatch_open_expectations')).toBe(1);
  await stage.clock.advance(60_000);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_max_seconds')).toBe(0);
  expect(await valueOf(metrics, 'duewatch_partition_deciding')).toBe(1);
  expect(await samplesOf(metrics, 'duewatch_events_written_total')).toContainEqual({
    labels: { partition: 0, type: 'expectationLapsed' },
    value: 1,
  });
});

it('falls behind, by its oldest deadline, while its partition is held', async () => {
  const { metrics, inbox } = await start();
  await stage.tell('acme', declared(), due('e', 60_000), due('later', 90_000));
  stage.differenceMs = 3_600_000;
  await stage.tell('acme', reported(stage.startMs, 'other'));
  stage.differenceMs = 0;
  expect(await valueOf(metrics, 'duewatch_partition_held')).toBe(1);
  expect(await valueOf(metrics, 'duewatch_partition_deciding')).toBe(0);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_seconds')).toBe(0);
  await stage.clock.advance(70_000);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_seconds')).toBe(10);
  await stage.clock.advance(70_000);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_seconds')).toBe(80);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_max_seconds')).toBe(80);
  expect(await valueOf(inbox, 'duewatch_inbox_undecided_records')).toBe(1);
});

it('falls behind while the log is away, which does not keep it from saying so', async () => {
  const { metrics, inbox } = await start();
  await stage.tell('acme', declared(), due('e', 60_000));
  isAway = true;
  await stage.clock.advance(90_000);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_seconds')).toBe(30);
  expect(await valueOf(metrics, 'duewatch_partition_deciding')).toBe(0);
  await expect(inbox.collect()).rejects.toThrow('the log is away');
  isAway = false;
  await stage.clock.advance(10_000);
  expect(await valueOf(metrics, 'duewatch_judgement_lag_seconds')).toBe(0);
});

it('says how far the clocks differ', async () => {
  stage.differenceMs = -2_500;
  const { metrics } = await start();
  await stage.clock.advance(6_000);
  expect(await valueOf(metrics, 'duewatch_clock_difference_seconds')).toBe(-2.5);
});

it('counts held tenants, for how long they have waited, and names none', async () => {
  const at = '2026-09-01T00:00:00Z';
  const held = { type: 'tenantHeld', at, cause: 'planted' } as const;
  const value = encodeLedger({ v: 1, tenant: 'acme', at, offset: 0, n: 0, last: true, events: [held] });
  await stage.tell('acme', declared());
  await stage.writeLedger([{ tenant: 'acme', value }]);
  const { metrics } = await start();
  await stage.tell('globex', declared());
  await stage.clock.advance(60_000);
  expect(await samplesOf(metrics, 'duewatch_held_tenants')).toEqual([{ labels: { partition: 0 }, value: 1 }]);
  expect(await valueOf(metrics, 'duewatch_held_tenant_longest_seconds')).toBe(60);
  expect(JSON.stringify(await metrics.collect())).not.toMatch(/acme|globex/);
});

it('knows nothing of a partition before it is recovered, and then how long that took', async () => {
  isAway = true;
  const { metrics } = await start();
  expect(await samplesOf(metrics, 'duewatch_judgement_lag_seconds')).toEqual([]);
  expect(await samplesOf(metrics, 'duewatch_judgement_lag_max_seconds')).toEqual([]);
  expect(await samplesOf(metrics, 'duewatch_partition_restore_seconds')).toEqual([]);
  expect(await samplesOf(metrics, 'duewatch_partition_deciding')).toEqual([{ labels: { partition: 0 }, value: 0 }]);
  isAway = false;
  await stage.clock.advance(10_000);
  expect(await samplesOf(metrics, 'duewatch_partition_restore_seconds')).toEqual([
    { labels: { partition: 0 }, value: expect.any(Number) },
  ]);
});
