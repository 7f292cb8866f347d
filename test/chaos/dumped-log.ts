// A watcher's log as Kafka's own console consumer prints it, read as committed: what is compared with is none of our reading.
import assert from 'node:assert/strict';
import { type EventLog, fromSafeText, type LogRecord, type ReadOptions } from '#event-log';
import { topicNames } from '#event-log-kafka';
import { consoleConsume, type PrintedRecord } from '#testing';

export interface DumpedLog {
  /** By partition. */
  readonly inbox: readonly (readonly LogRecord[])[];
  readonly ledger: readonly (readonly LogRecord[])[];
}

export interface LogToDump {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly partitionCount: number;
}

/** Both as they are now. At rest: what comes between the two may be in one and not in the other. */
export async function dumpLog({ brokers, prefix, partitionCount }: LogToDump): Promise<DumpedLog> {
  const names = topicNames({ prefix });
  const dump = async (topic: string): Promise<LogRecord[][]> => {
    const printed = await consoleConsume({ brokers, topic, isolation: 'read_committed' });
    const partitions: LogRecord[][] = Array.from({ length: partitionCount }, () => []);
    for (const record of printed) partitions[record.partition]?.push(toRecord(record));
    return partitions;
  };
  const [inbox, ledger] = await Promise.all([dump(names.inbox), dump(names.ledger)]);
  return { inbox, ledger };
}

function toRecord({ offset, at, timestampType, key, value }: PrintedRecord): LogRecord {
  assert.equal(timestampType, 'LogAppendTime', 'the log stamps its records itself');
  return { offset: Number(offset), appendedAt: at, tenant: tenantOf(key), value: value ?? Buffer.alloc(0) };
}

function tenantOf(key: Buffer | null): string | null {
  if (key === null) return null;
  try {
    return fromSafeText(key.toString('utf8'));
  } catch {
    return null;
  }
}

/** The dumped ledger for whoever folds it; it has nothing else. */
export function ledgerOf({ ledger }: DumpedLog): EventLog {
  const none = async (): Promise<never> => {
    throw new Error('a dumped ledger can be read, and nothing else');
  };
  return {
    partitionCount: ledger.length,
    bounds: async (_, partition) => ({ earliest: 0, end: (ledger[partition]?.at(-1)?.offset ?? -1) + 1 }),
    read: async (topic, partition, { from, limit }: ReadOptions) => {
      assert.equal(topic, 'ledger');
      return (ledger[partition] ?? []).filter(({ offset }) => offset >= from).slice(0, limit);
    },
    waitFor: async () => undefined,
    append: none,
    trim: none,
    openWriter: none,
    now: none,
    close: async () => undefined,
  };
}
