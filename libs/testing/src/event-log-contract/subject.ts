// What a log's implementation gives the contract, and the small words the contract is written in.
import type { Appended, EventLog, LogRecord, NewRecord, Topic } from '#event-log';
import { systemClock } from '#runtime';

/** One log under test, empty, of 4 partitions. */
export interface EventLogSubject {
  readonly log: EventLog;
  /** Another instance on the same log, as another process would have; the same one where there is no such thing. */
  readonly other: EventLog;
  /** What the log's clock says from now on, in epoch milliseconds; absent where it is not ours to set. */
  setClock?(clock: number): Promise<void>;
  /** From now on every append fails once it has begun, until they are mended. */
  breakAppends(): Promise<void>;
  mendAppends(): Promise<void>;
  /** Closes `log` and opens it again; absent where nothing is kept. */
  reopen?(): Promise<EventLog>;
  close(): Promise<void>;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = ({ value }: NewRecord): string => new TextDecoder().decode(value);

/** Records of one tenant with those texts. */
export const recordsOf = (...texts: string[]): NewRecord[] =>
  texts.map((text) => ({ tenant: 'acme', value: bytesOf(text) }));

/** Appends to the inbox, and lets the log's clock go on: whatever is appended next has a later instant. */
export async function appendBefore(log: EventLog, text: string): Promise<Appended> {
  const appended = await log.append(0, recordsOf(text));
  while ((await log.now()) <= appended.appendedAt) await systemClock.sleep(1);
  return appended;
}

/** Resolves once what was appended to the ledger can be read: a writer is told of it a little earlier. */
export async function readable({ partition, offsets }: Appended, ...logs: readonly EventLog[]): Promise<void> {
  for (const log of logs) await log.waitFor('ledger', partition, offsets.at(-1) ?? 0, 60_000);
}

/** Every record of the partition from that offset, page by page. */
export async function readAll(
  log: EventLog,
  topic: Topic,
  partition: number,
  { from = 0, limit = 1_000 }: { from?: number; limit?: number } = {},
): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (;;) {
    const page = await log.read(topic, partition, { from: (all.at(-1)?.offset ?? from - 1) + 1, limit });
    if (page.length === 0) return all;
    all.push(...page);
  }
}
