// The inbox lets go of what is decided and old, and of nothing that anybody still needs.
import { Logger } from '@nestjs/common';
import { encodeLedger } from '#event-log';
import { Memberships } from '#serving';
import { declared, PartitionStage, raised, reported, TestShare } from '#testing';
import { InboxRetention } from './inbox-retention.ts';
import { Timekeeper } from './timekeeper.ts';

Logger.overrideLogger(false);

const HOUR_MS = 3_600_000;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A timekeeper at work that keeps what is decided for an hour. */
async function keeping(stage: PartitionStage): Promise<{ readonly faults: readonly unknown[]; stop(): Promise<void> }> {
  const faults: unknown[] = [];
  const timekeeper = new Timekeeper(stage.log, stage.clock, 'test', (error) => faults.push(error), new Memberships());
  const retention = new InboxRetention(stage.log, stage.clock, timekeeper, HOUR_MS);
  const membership = new TestShare([0]).join('timekeeper', (partition, signal) => timekeeper.serve(partition, signal));
  retention.onApplicationBootstrap();
  const stop = async (): Promise<void> => {
    await retention.onApplicationShutdown();
    await membership.leave();
  };
  stops.push(stop);
  await stage.clock.settle();
  return { faults, stop };
}

const earliest = async (stage: PartitionStage): Promise<number> => (await stage.log.bounds('inbox', 0)).earliest;

it('lets go of what is decided once it is old, and a start needs none of it', async () => {
  const stage = new PartitionStage();
  await stage.tell('acme', declared(), raised({ id: 'e', dueAtMs: stage.startMs + 3 * HOUR_MS }));
  const first = await keeping(stage);
  await stage.clock.advance(HOUR_MS - 60_000);
  expect(await earliest(stage)).toBe(0);
  await stage.clock.advance(HOUR_MS);
  expect(await earliest(stage)).toBeGreaterThan(2);
  await first.stop();
  const again = await keeping(stage);
  await stage.clock.advance(2 * HOUR_MS);
  expect(again.faults).toEqual([]);
  expect(await stage.events('expectationLapsed')).toMatchObject([{ expectationId: 'e' }]);
});

it('keeps what is not decided, however old', async () => {
  const stage = new PartitionStage();
  await stage.tell('acme', declared());
  await keeping(stage);
  stage.differenceMs = HOUR_MS;
  await stage.tell('acme', reported(stage.startMs, 'e'));
  await stage.clock.advance(5 * HOUR_MS);
  expect(await stage.partitionEntries('partitionHeld')).toHaveLength(1);
  const [hold] = await stage.partitionEntries('partitionHeld');
  expect(await earliest(stage)).toBeLessThanOrEqual(hold?.offset ?? -1);
});

it('keeps what a held tenant waits with', async () => {
  const stage = new PartitionStage();
  await stage.tell('acme', declared(), reported(stage.startMs, 'e'));
  const at = '2026-09-01T00:00:00Z';
  const held = { type: 'tenantHeld', at, cause: 'planted' } as const;
  const entry = { v: 1, tenant: 'acme', at, offset: 1, n: 0, last: true, events: [held] } as const;
  await stage.writeLedger([{ tenant: 'acme', value: encodeLedger(entry) }]);
  await keeping(stage);
  await stage.clock.advance(5 * HOUR_MS);
  expect(await earliest(stage)).toBe(1);
});
