// How much one read gives, whatever the store: as many records as are asked for, and not many more bytes than are good.
import { type LogRecord, MAX_READ_BYTES } from './port.ts';

/** The first of them, as `EventLog.read` is bounded: the record that takes the values past `MAX_READ_BYTES` is the last. */
export function boundedRead(records: readonly LogRecord[], from: number, limit: number): readonly LogRecord[] {
  const wanted = records.slice(from, from + limit);
  let bytes = 0;
  const past = wanted.findIndex(({ value }) => (bytes += value.byteLength) >= MAX_READ_BYTES);
  return past === -1 ? wanted : wanted.slice(0, past + 1);
}
