// Folds ledger records into the tables, the position in the same transaction. A record that cannot be folded is parked
// by reference and the next one proceeds; a fault of the database is thrown to whoever follows the ledger.
import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { isWatcherEvent, type LedgerEntry, type LogRecord, type PartitionEntry } from '#event-log';
import { Changes } from './fold/changes.ts';
import { foldEvent } from './fold/fold-event.ts';
import { foldPartitionEntry, foldWatcherEvent } from './fold/fold-holds.ts';
import { beginning, isGap, type Position, positionAfter, readRecord } from './fold/read-record.ts';
import { UnfoldableRecordError } from './fold/unfoldable-record-error.ts';
import { ParkedRecordRow, PositionRow } from './tables/position.entity.ts';
import { insertRows } from './write/bulk.ts';
import { writeChanges } from './write/write-changes.ts';

const HEAD_BYTES = 1_024;

/** Records that were read from one partition's ledger, in order: all that stand after `after`. */
export interface LedgerRun {
  readonly partition: number;
  /** The offset of the record before the first; -1 at the beginning. */
  readonly after: number;
  readonly records: readonly LogRecord[];
}

/** Where the projection stands after a run, and what was parked on the way. */
export interface Folded {
  readonly ledgerOffset: number;
  readonly parked: readonly ParkedRecordRow[];
}

/**
 * Folds a run in one transaction; records at or below the stored position are skipped, so a run may be told twice.
 * Where the tables stand before `after` (they were emptied), nothing is folded and their position is the answer.
 */
export async function foldLedger(readModel: DataSource, run: LedgerRun): Promise<Folded> {
  try {
    return await foldRun(readModel, run);
  } catch (error) {
    if (!isOfTheRecord(error)) throw error;
    if (run.records.length > 1) return await foldHalves(readModel, run);
    return await parkOnly(readModel, run, error);
  }
}

/** The offset of the last record folded; -1 before the first. */
export async function foldedOffset(readModel: DataSource, partition: number): Promise<number> {
  const position = await readModel.getRepository(PositionRow).findOneBy({ partition });
  return position?.ledgerOffset ?? -1;
}

/** A run with something wrong in it is halved until the record at fault stands alone. */
async function foldHalves(readModel: DataSource, { partition, after, records }: LedgerRun): Promise<Folded> {
  const middle = records.length >> 1;
  const first = await foldLedger(readModel, { partition, after, records: records.slice(0, middle) });
  const secondAfter = records[middle - 1]?.offset ?? after;
  const second = await foldLedger(readModel, { partition, after: secondAfter, records: records.slice(middle) });
  return { ledgerOffset: second.ledgerOffset, parked: [...first.parked, ...second.parked] };
}

async function foldRun(readModel: DataSource, run: LedgerRun): Promise<Folded> {
  return await inPosition(readModel, run, async (runner, stored, records) => {
    const changes = new Changes();
    const parked: ParkedRecordRow[] = [];
    let position = stored;
    for (const record of records) {
      const entry = foldRecord(changes, run.partition, record);
      if (isGap(position, entry)) parked.push(parkedRow(run.partition, record, 'what comes before it is missing'));
      position = positionAfter(position, record.offset, entry);
    }
    await writeChanges(runner, changes);
    return { position, parked };
  });
}

/** Whatever goes wrong here is of the record: nothing else has a part in it. */
function foldRecord(changes: Changes, partition: number, record: LogRecord): LedgerEntry | PartitionEntry {
  try {
    const entry = readRecord(record);
    if ('type' in entry) {
      foldPartitionEntry(changes, partition, record, entry);
      return entry;
    }
    const { tenant, offset: inboxOffset } = entry;
    const origin = { tenant, partition, inboxOffset, ledgerOffset: record.offset };
    entry.events.forEach((event, eventIndex) => {
      if (isWatcherEvent(event)) foldWatcherEvent(changes, { ...origin, eventIndex }, event);
      else foldEvent(changes, { ...origin, eventIndex }, event);
    });
    return entry;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'it cannot be folded';
    throw new UnfoldableRecordError(why, { cause });
  }
}

async function parkOnly(readModel: DataSource, run: LedgerRun, cause: Error): Promise<Folded> {
  return await inPosition(readModel, run, async (_, position, records) => ({
    position: { ...position, ledgerOffset: records.at(-1)?.offset ?? position.ledgerOffset },
    parked: records.map((record) => parkedRow(run.partition, record, cause.message)),
  }));
}

interface Step {
  readonly position: Position;
  readonly parked: ParkedRecordRow[];
}

/** The transaction around a step: the position's row is locked, so of two projectors one waits, and then skips. */
async function inPosition(
  readModel: DataSource,
  { partition, after, records }: LedgerRun,
  step: (runner: QueryRunner, position: Position, records: readonly LogRecord[]) => Promise<Step>,
): Promise<Folded> {
  const runner = readModel.createQueryRunner();
  try {
    await runner.startTransaction();
    // What a crash loses here is folded again: the position is lost with the rows.
    await runner.query('SET LOCAL synchronous_commit = off; SET LOCAL enable_seqscan = off');
    const stored = await lockPosition(runner, partition);
    const wanted = records.filter(({ offset }) => offset > stored.ledgerOffset);
    if (stored.ledgerOffset < after || wanted.length === 0) {
      await runner.rollbackTransaction();
      return { ledgerOffset: stored.ledgerOffset, parked: [] };
    }
    const { position, parked } = await step(runner, stored, wanted);
    await insertRows(runner, ParkedRecordRow, parked);
    await runner.manager.update(PositionRow, { partition }, position);
    await runner.commitTransaction();
    return { ledgerOffset: position.ledgerOffset, parked };
  } catch (error) {
    // Where the connection is lost, so is the transaction; what counts is the error before.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

async function lockPosition(runner: QueryRunner, partition: number): Promise<Position> {
  const lock = { mode: 'pessimistic_write' } as const;
  const row = await runner.manager.findOne(PositionRow, { where: { partition }, lock });
  if (row !== null) {
    const { partition: _, ...position } = row;
    return position;
  }
  await runner.manager
    .createQueryBuilder()
    .insert()
    .into(PositionRow)
    .values({ partition, ...beginning })
    .orIgnore()
    .execute();
  return await lockPosition(runner, partition);
}

function parkedRow(partition: number, { offset, value }: LogRecord, reason: string): ParkedRecordRow {
  return { partition, ledgerOffset: offset, reason, head: Buffer.from(value.subarray(0, HEAD_BYTES)) };
}

/** Of our own reading, or SQLSTATE classes 22 (data), 23 (integrity), 54 (limits): it would fail again for ever. */
function isOfTheRecord(error: unknown): error is Error {
  if (error instanceof UnfoldableRecordError) return true;
  if (!(error instanceof QueryFailedError)) return false;
  const { code } = error.driverError as { code?: unknown };
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}
