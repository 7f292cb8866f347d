// Where a lapse's task stands in the tables, in whatever batches the ledger is folded.
import type { DataSource } from 'typeorm';
import { type DispatchDiscarded, type DispatchRetried, type LedgerEvent, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import {
  createDatabase,
  dispatchAcknowledged,
  dispatchAttempted,
  dispatchFailed,
  dispatchVoided,
  expectationLapsed,
  expectationRecorded,
  LedgerScript,
  statusApplied,
  type TestDatabase,
} from '#testing';
import { foldLedger } from './fold-ledger.ts';
import { openReadModel, readTables } from './read-model.ts';
import { LapseRow } from './tables/lapse.entity.ts';

let database: TestDatabase;
let readModel: DataSource;

beforeAll(async () => {
  database = await createDatabase();
  readModel = await openReadModel(database.url);
});
afterAll(async () => {
  await readModel.destroy();
  await database.drop();
});

/** The dispatch states of all lapses, by their expectations' ids, after the story was folded in batches of this size. */
async function statesAfter(story: readonly LedgerEvent[][], size: number): Promise<string[]> {
  await readModel.query(`TRUNCATE ${readTables.map((table) => readModel.getMetadata(table).tablePath).join()}`);
  const log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });
  const script = new LedgerScript(log);
  for (const events of story) await script.decided('acme', ...events);
  const records = await log.read('ledger', 0, { from: 0, limit: 1000 });
  for (let start = 0; start < records.length; start += size) {
    await foldLedger(readModel, { partition: 0, after: start - 1, records: records.slice(start, start + size) });
  }
  const lapses = await readModel.getRepository(LapseRow).find({ order: { expectationId: 'ASC' } });
  return lapses.map(({ dispatchState }) => dispatchState);
}

const e2 = { expectationId: 'e2' };
const act = {
  at: '2026-09-01T00:02:00Z',
  agentId: 'booking',
  expectationId: 'e1',
  lapse: 'overdue',
  by: 'olga',
} as const;
const retried = (of = {}): DispatchRetried => ({ type: 'dispatchRetried', ...act, ...of });
const discarded = (of = {}): DispatchDiscarded => ({ type: 'dispatchDiscarded', ...act, reason: 'r', ...of });
const task = (state: string) => statusApplied({ taskId: 'lapse-task', state: `TASK_STATE_${state}` });

describe.each([1, 2, 3, 4, 8])('in batches of %s', (size) => {
  it('a lapse is concluded where its task had ended by then, though the task was forgotten and went on', async () => {
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [dispatchAcknowledged({ taskId: 'lapse-task' })],
      [task('FAILED')],
      [task('WORKING')],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchAcknowledged({ ...e2, taskId: 'lapse-task' })],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['concluded', 'submitted']);
  });

  it('a lapse stays void, or submitted, where an attempt is told late to have failed', async () => {
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchAttempted(), dispatchAttempted(e2)],
      [dispatchFailed()],
      [dispatchVoided()],
      [dispatchFailed({ attempt: 2 })],
      [dispatchAcknowledged({ ...e2, taskId: 'lapse-task' })],
      [dispatchFailed({ ...e2, outcome: 'unknown' })],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['voided', 'submitted']);
  });

  it('a lapse is pending where it is retried while it is parked, and stays as it is otherwise', async () => {
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchFailed({ outcome: 'parked' })],
      [retried()],
      [dispatchFailed({ ...e2, outcome: 'parked' })],
      [retried(e2)],
      [dispatchFailed({ ...e2, outcome: 'unknown', attempt: 2 })],
      [retried(e2)],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['pending', 'unknown']);
  });

  it('a lapse is void where it is discarded, unless it is with its agent', async () => {
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchFailed({ outcome: 'parked' })],
      [discarded()],
      [retried()],
      [dispatchFailed({ attempt: 2 })],
      [dispatchAcknowledged({ ...e2, taskId: 'lapse-task' })],
      [discarded(e2)],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['voided', 'submitted']);
  });

  it('a lapse stays void, or submitted, where leave to send it is given late', async () => {
    const again = { attempt: 2, possibleDuplicate: true } as const;
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchFailed({ outcome: 'parked' })],
      [discarded()],
      [dispatchAttempted(again)],
      [dispatchAcknowledged({ ...e2, taskId: 'lapse-task' })],
      [dispatchAttempted({ ...e2, ...again })],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['voided', 'submitted']);
  });

  it('a lapse that is attempted again is sending, and submitted once that is acknowledged', async () => {
    const story = [
      [expectationRecorded(), expectationLapsed()],
      [expectationRecorded(e2), expectationLapsed(e2)],
      [dispatchFailed({ outcome: 'parked' }), dispatchFailed({ ...e2, outcome: 'parked' })],
      [retried(), retried(e2)],
      [dispatchAttempted({ attempt: 2 }), dispatchAttempted({ ...e2, attempt: 2 })],
      [dispatchAcknowledged({ ...e2, attempt: 2, taskId: 'lapse-task' })],
    ];
    await expect(statesAfter(story, size)).resolves.toEqual(['sending', 'submitted']);
  });
});
