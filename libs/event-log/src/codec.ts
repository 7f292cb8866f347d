// Entries as bytes: JSON in UTF-8. JSON escapes NUL and lone surrogates, so any string survives any store.
import type { InboxEntry } from './inbox-entry.ts';
import type { LedgerEntry, PartitionEntry } from './ledger-entry.ts';

/** The bytes are not an entry of this version; the record is poison and is parked by whoever reads it. */
export class UndecodableRecordError extends Error {
  override readonly name = 'UndecodableRecordError';
  readonly retryable = false;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

export function encodeInbox(input: InboxEntry['input']): Uint8Array {
  return encoder.encode(JSON.stringify({ v: 1, input } satisfies InboxEntry));
}

/** Throws `UndecodableRecordError`. */
export function decodeInbox(value: Uint8Array): InboxEntry['input'] {
  const entry = decode(value);
  const input = entry['input'];
  if (typeof input !== 'object' || input === null || typeof (input as { type?: unknown }).type !== 'string') {
    throw new UndecodableRecordError('an inbox record must have an "input" with a "type"');
  }
  return input as InboxEntry['input'];
}

export function encodeLedger(entry: LedgerEntry | PartitionEntry): Uint8Array {
  return encoder.encode(JSON.stringify(entry));
}

// Several follow a ledger in one process, and are given the same bytes: they are parsed once.
const decodedEntries = new WeakMap<Uint8Array, LedgerEntry | PartitionEntry>();

/** The entry, which whoever decodes the same bytes shares and nobody may change. Throws `UndecodableRecordError`. */
export function decodeLedger(value: Uint8Array): LedgerEntry | PartitionEntry {
  const known = decodedEntries.get(value);
  if (known !== undefined) return known;
  const entry = decode(value) as unknown as LedgerEntry | PartitionEntry;
  decodedEntries.set(value, entry);
  return entry;
}

function decode(value: Uint8Array): Record<string, unknown> {
  let entry: unknown;
  try {
    entry = JSON.parse(decoder.decode(value));
  } catch (cause) {
    throw new UndecodableRecordError('a record must be JSON in UTF-8', { cause });
  }
  if (typeof entry !== 'object' || entry === null || (entry as { v?: unknown }).v !== 1) {
    throw new UndecodableRecordError('a record must be a JSON object with "v": 1');
  }
  return entry as Record<string, unknown>;
}
