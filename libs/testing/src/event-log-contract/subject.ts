// What a log's implementation gives the contract, and the small words the contract is written in.
import type { EventLog, LogRecord, NewRecord, Topic } from '#event-log';

/** One log under test, empty, of 4 partitions. */
export interface EventLogSubject {
  readonly log: EventLog;
  /** Another instance on the same log, as another process would have; the same one where there is no such thing. */
  readonly other: EventLog;
  /** What the log's clock says from now on, in epoch milliseconds; `broken` makes it throw within the append. */
  setClock(clock: number | 'broken' | 'real'): Promise<void>;
  /** Closes `log` and opens it again; absent where nothing is kept. */
  reopen?(): Promise<EventLog>;
  close(): Promise<void>;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const textOf = ({ value }: NewRecord): string => new TextDecoder().decode(value);

/** Records of one tenant with those texts. */
export const recordsOf = (...texts: string[]): NewRecord[] =>
  texts.map((text) => ({ tenant: 'acme', value: bytesOf(text) }));

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
