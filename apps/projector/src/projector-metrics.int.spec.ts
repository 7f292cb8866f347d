import type { DataSource } from 'typeorm';
import { MemoryEventLog, partitionOf } from '#event-log';
import { foldLedger, LedgerReader, openReadModel } from '#read-model';
import { type MetricSource, systemClock } from '#runtime';
import { createDatabase, expectationRecorded, LedgerScript, type TestDatabase } from '#testing';
import { ParkedMetrics } from './parked-metrics.ts';
import { ProjectorMetrics } from './projector-metrics.ts';

let database: TestDatabase;
let readModel: DataSource;
let aheadMs = 0;
const log = new MemoryEventLog({
  partitionCount: 1,
  clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
});
const script = new LedgerScript(log);

beforeAll(async () => {
  database = await createDatabase();
  readModel = await openReadModel(database.url);
});
afterAll(async () => {
  if (readModel.isInitialized) await readModel.destroy();
  await database.drop();
});

async function valueOf(source: MetricSource, name: string): Promise<number | undefined> {
  return (await source.collect()).find((family) => family.name === name)?.samples[0]?.value;
}

async function fold(): Promise<void> {
  await foldLedger(readModel, await new LedgerReader(log, partitionOf('acme', 1)).next(-1));
}

it('is behind by what is not folded, since its oldest was written, and not at all once it is', async () => {
  const metrics = new ProjectorMetrics(log, readModel);
  expect(await valueOf(metrics, 'duewatch_projection_lag_records')).toBe(0);
  await script.decided('acme', expectationRecorded({ expectationId: 'e1' }));
  await script.decided('acme', expectationRecorded({ expectationId: 'e2' }));
  aheadMs = 60_000;
  expect(await valueOf(metrics, 'duewatch_projection_lag_records')).toBe(2);
  expect(await valueOf(metrics, 'duewatch_projection_lag_seconds')).toBeGreaterThanOrEqual(60);
  await fold();
  expect(await valueOf(metrics, 'duewatch_projection_lag_records')).toBe(0);
  expect(await valueOf(metrics, 'duewatch_projection_lag_seconds')).toBe(0);
});

it('counts what was parked, by the decider and by the fold', async () => {
  const metrics = new ParkedMetrics(readModel);
  expect(await valueOf(metrics, 'duewatch_parked_inputs')).toBe(0);
  await script.decided('acme', { type: 'inputParked', at: '2026-09-01T00:00:00Z', cause: 'planted' });
  await script.append('acme', { tenant: 'acme', value: Buffer.from('{') });
  await fold();
  expect(await valueOf(metrics, 'duewatch_parked_inputs')).toBe(1);
  expect(await valueOf(metrics, 'duewatch_parked_records')).toBe(1);
});

it('has no numbers where the database is away', async () => {
  await readModel.destroy();
  await expect(new ProjectorMetrics(log, readModel).collect()).rejects.toThrow();
  await expect(new ParkedMetrics(readModel).collect()).rejects.toThrow();
});
