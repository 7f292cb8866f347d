// Arrays in PostgreSQL's binary format, one for each column of a batch. Unnested, they are as fast as COPY.
import { UnfoldableRecordError } from '../fold/unfoldable-record-error.ts';

/** The column types of the read model that are written in bulk, with their type's OID. */
const oids = { uuid: 2950, bigint: 20, timestamptz: 1184, boolean: 16, text: 25, bytea: 17 } as const;

export type ArrayType = keyof typeof oids;

const HEADER_BYTES = 20;
const POSTGRES_EPOCH_MS = 946_684_800_000;

// Arrays are built here and copied out once their length is known; it grows to the longest column of a batch.
let scratch = Buffer.allocUnsafeSlow(1 << 20);

/**
 * Encodes a value of every row: null and undefined become NULL. uuid as 32 hexadecimal digits, bigint as safe
 * integers, timestamptz as canonical RFC 3339 text. Throws an `UnfoldableRecordError` where a value is of another type.
 */
export function encodeArray<Row>(type: ArrayType, rows: readonly Row[], valueOf: (row: Row) => unknown): Buffer {
  const write = writers[type];
  let end = HEADER_BYTES;
  for (const row of rows) {
    const value = valueOf(row);
    reserve(end, value);
    const length = value === null || value === undefined ? -1 : write(value, end + 4);
    scratch.writeInt32BE(length, end);
    end += 4 + Math.max(length, 0);
  }
  scratch.writeInt32BE(1, 0);
  scratch.writeInt32BE(1, 4);
  scratch.writeInt32BE(oids[type], 8);
  scratch.writeInt32BE(rows.length, 12);
  scratch.writeInt32BE(1, 16);
  return Buffer.from(scratch.subarray(0, end));
}

/** Room for one more: 20 bytes, or what a string takes at most (a UTF-16 code unit takes three in UTF-8). */
function reserve(end: number, value: unknown): void {
  const needed = end + 20 + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length * 3 : 0);
  if (needed <= scratch.length) return;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, scratch.length * 2));
  scratch.copy(larger, 0, 0, end);
  scratch = larger;
}

type Writer = (value: unknown, at: number) => number;

const writers: Record<ArrayType, Writer> = {
  uuid: (value, at) => {
    const written = scratch.write(stringFor('uuid', value), at, 'hex');
    if (written !== 16) throw new UnfoldableRecordError('a uuid must have 32 hexadecimal digits');
    return written;
  },
  bigint: (value, at) => {
    if (!Number.isSafeInteger(value)) throw new UnfoldableRecordError('a bigint must be a safe integer');
    const whole = value as number;
    const high = Math.floor(whole / 0x1_0000_0000);
    scratch.writeInt32BE(high, at);
    scratch.writeUInt32BE(whole - high * 0x1_0000_0000, at + 4);
    return 8;
  },
  timestamptz: (value, at) => {
    scratch.writeBigInt64BE(microsecondsOf(stringFor('timestamptz', value)), at);
    return 8;
  },
  boolean: (value, at) => {
    if (typeof value !== 'boolean') throw new UnfoldableRecordError('a boolean must be true or false');
    return scratch.writeUInt8(value ? 1 : 0, at) - at;
  },
  text: (value, at) => scratch.write(stringFor('text', value), at, 'utf8'),
  bytea: (value, at) => {
    if (!Buffer.isBuffer(value)) throw new UnfoldableRecordError('a bytea must be a Buffer');
    return value.copy(scratch, at);
  },
};

function stringFor(type: ArrayType, value: unknown): string {
  if (typeof value !== 'string') throw new UnfoldableRecordError(`a ${type} must be a string`);
  return value;
}

// The instant encoded last: most instants of a batch are one instant.
let lastText = '';
let lastMicroseconds = 0n;

function microsecondsOf(text: string): bigint {
  if (text === lastText) return lastMicroseconds;
  const epochMs = Date.parse(text);
  if (Number.isNaN(epochMs)) throw new UnfoldableRecordError('an instant must be canonical RFC 3339');
  lastMicroseconds = BigInt(epochMs - POSTGRES_EPOCH_MS) * 1000n;
  lastText = text;
  return lastMicroseconds;
}
