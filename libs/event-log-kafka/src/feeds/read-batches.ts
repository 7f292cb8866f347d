// The batches of a partition as a broker sends them, one by one: what somebody else has written and cannot be read must
// neither hide its neighbours nor be taken for nothing.
import { decodeBatch, DecoderOf, type FetchedMessage } from '../kafkajs-parts.ts';

/** A message, or in the place of a batch that cannot be read one that says why. */
export type BatchMessage = FetchedMessage & { readonly unreadable?: { lastOffset: number; reason: string } };

export interface Batches {
  readonly messages: readonly BatchMessage[];
  /** Past the last batch; undefined where there is none. */
  readonly next: number | undefined;
}

/** Of a batch before its records: offsets and length, which its own layout begins with. */
const PREAMBLE_BYTES = 12;
const HEADER_BYTES = 61;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 21;
const LAST_OFFSET_DELTA_AT = 23;
const MAX_TIMESTAMP_AT = 35;
const PRODUCER_ID_AT = 43;
const TRANSACTIONAL = 0x10;

/** Reads the whole batches; the last one may have been cut off by the broker. */
export async function readBatches(bytes: Buffer): Promise<Batches> {
  const messages: BatchMessage[] = [];
  let next: number | undefined;
  for (let at = 0; at + HEADER_BYTES <= bytes.length;) {
    const end = at + PREAMBLE_BYTES + bytes.readInt32BE(at + 8);
    if (end > bytes.length || end < at + HEADER_BYTES) break;
    const batch = bytes.subarray(at, end);
    messages.push(...(await readBatch(batch)));
    next = lastOffsetOf(batch) + 1;
    at = end;
  }
  return { messages, next };
}

async function readBatch(batch: Buffer): Promise<readonly BatchMessage[]> {
  try {
    if (batch.readInt8(MAGIC_AT) !== 2) throw new Error('it is in a format older than Kafka 0.11’s');
    return (await decodeBatch(new DecoderOf(batch))).records;
  } catch (error) {
    const firstOffset = batch.readBigInt64BE(0).toString();
    const unreadable = { lastOffset: lastOffsetOf(batch), reason: reasonOf(error) };
    return [
      {
        offset: firstOffset,
        timestamp: batch.readBigInt64BE(MAX_TIMESTAMP_AT).toString(),
        key: null,
        value: null,
        isControlRecord: false,
        batchContext: {
          firstOffset,
          lastOffsetDelta: batch.readInt32BE(LAST_OFFSET_DELTA_AT),
          producerId: batch.readBigInt64BE(PRODUCER_ID_AT).toString(),
          inTransaction: (batch.readInt16BE(ATTRIBUTES_AT) & TRANSACTIONAL) !== 0,
        },
        unreadable,
      },
    ];
  }
}

/** In a batch of an older format the offset that it begins with is its last. */
function lastOffsetOf(batch: Buffer): number {
  const first = Number(batch.readBigInt64BE(0));
  return batch.readInt8(MAGIC_AT) === 2 ? first + batch.readInt32BE(LAST_OFFSET_DELTA_AT) : first;
}

/** Without what was in it. */
function reasonOf(error: unknown): string {
  const { message } = error as { readonly message?: unknown };
  return typeof message === 'string' ? message.slice(0, 200) : 'it cannot be read';
}
