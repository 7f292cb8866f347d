// What a fetch of a partition brought, as records of the log. It must never show what was aborted, and says how far the
// partition is known even where it shows nothing: a transaction's markers take offsets.
import { fromSafeText, type LogRecord } from '#event-log';
import type { FetchedMessage, FetchedPartition } from './kafkajs-parts.ts';

export interface Fetched {
  readonly records: readonly LogRecord[];
  /** Where to read on: all before it is in `records`, or is nothing. */
  readonly next: number;
  /** Nothing from there on can be read yet. */
  readonly end: number;
}

const none = new Uint8Array();

/** The partition as it is from that offset on. */
export function readFetched(fetched: FetchedPartition, from: number): Fetched {
  const records = committedOf(fetched.messages, fetched.abortedTransactions)
    .map((message) => toRecord(message, Number(message.offset)))
    .filter(({ offset }) => offset >= from);
  const last = fetched.messages.at(-1)?.batchContext;
  const next = last === undefined ? from : Number(last.firstOffset) + last.lastOffsetDelta + 1;
  return { records, next: Math.max(from, next), end: Number(fetched.lastStableOffset) };
}

/** What of the messages is neither aborted nor a marker. */
export function committedOf<Message extends FetchedMessage>(
  messages: readonly Message[],
  abortedTransactions: FetchedPartition['abortedTransactions'],
): readonly Message[] {
  const aborted = abortedTransactions
    .map(({ producerId, firstOffset }) => ({ producerId, firstOffset: Number(firstOffset) }))
    .sort((a, b) => a.firstOffset - b.firstOffset);
  const aborting = new Set<string>();
  const committed: Message[] = [];
  let begun = 0;
  for (const message of messages) {
    const offset = Number(message.offset);
    for (let next = aborted[begun]; next !== undefined && next.firstOffset <= offset; next = aborted[begun]) {
      aborting.add(next.producerId);
      begun += 1;
    }
    const { producerId, inTransaction } = message.batchContext;
    if (message.isControlRecord) {
      if (isAbort(message)) aborting.delete(producerId);
    } else if (!(inTransaction && aborting.has(producerId))) committed.push(message);
  }
  return committed;
}

/** A control record's key is its version and its type, two bytes each; type 0 is an abort. */
function isAbort({ key }: FetchedMessage): boolean {
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}

function toRecord({ key, value, timestamp }: FetchedMessage, offset: number): LogRecord {
  return { offset, appendedAt: Number(timestamp), tenant: key === null ? null : toTenant(key), value: value ?? none };
}

/** A key that is none of ours names no tenant. */
function toTenant(key: Buffer): string | null {
  try {
    return fromSafeText(key.toString('utf8'));
  } catch {
    return null;
  }
}
