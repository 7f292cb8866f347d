// A record as Kafka's console consumer prints it. Its BytesDeserializer writes every byte that is no printable ASCII, and
// the backslash, as `\xHH`: so a line is a record, whatever its bytes, and the bytes can be had back exactly.

export interface PrintedRecord {
  readonly partition: number;
  readonly offset: bigint;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether `at` is the producer's instant or the log's. */
  readonly timestampType: 'CreateTime' | 'LogAppendTime';
  /** Keys as UTF-8; none may hold a colon, nor the separators below. */
  readonly headers: ReadonlyMap<string, Buffer | null>;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

const betweenFields = '\t';
const betweenHeaders = '\u0001';
/** Stands for null, and is escaped as bytes are: a value of just these bytes would be read as null. */
const nothing = '\u0001null\u0001';
const printedNothing = '\\x01null\\x01';
const bytes = 'org.apache.kafka.common.serialization.BytesDeserializer';

/** The console consumer's formatter properties for it. */
export const printing: Readonly<Record<string, string>> = {
  'print.timestamp': 'true',
  'print.partition': 'true',
  'print.offset': 'true',
  'print.headers': 'true',
  'print.key': 'true',
  'print.value': 'true',
  'key.separator': betweenFields,
  'headers.separator': betweenHeaders,
  'null.literal': nothing,
  'key.deserializer': bytes,
  'value.deserializer': bytes,
  'headers.deserializer': bytes,
};

const line = /^(CreateTime|LogAppendTime):(\d+)\tPartition:(\d+)\tOffset:(\d+)\t([^\t]*)\t([^\t]*)\t([^\t]*)$/;

/** Reads one line; throws where it is none. */
export function readPrinted(text: string): PrintedRecord {
  const [, timestampType, at, partition, offset, headers, key, value] = line.exec(text) ?? [];
  if (timestampType === undefined || headers === undefined || key === undefined || value === undefined) {
    throw new Error(`the console consumer printed no record: ${text}`);
  }
  return {
    partition: Number(partition),
    offset: BigInt(offset!),
    at: Number(at),
    timestampType: timestampType as PrintedRecord['timestampType'],
    headers: readHeaders(headers),
    key: readBytes(key),
    value: readBytes(value),
  };
}

function readHeaders(text: string): ReadonlyMap<string, Buffer | null> {
  if (text === 'NO_HEADERS') return new Map();
  const headers = text.split(betweenHeaders).map((header) => {
    const colon = header.indexOf(':');
    return [header.slice(0, colon), readBytes(header.slice(colon + 1))] as const;
  });
  return new Map(headers);
}

function readBytes(text: string): Buffer | null {
  if (text === printedNothing) return null;
  if (!text.includes('\\')) return Buffer.from(text, 'latin1');
  const unescaped = text.replace(/\\x([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(unescaped, 'latin1');
}
