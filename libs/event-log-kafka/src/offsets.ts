// Where a partition begins and ends, asked of its leader, and told it.
import assert from 'node:assert/strict';
import { READ_COMMITTED } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';

/** The protocol's words for the two ends. */
const EARLIEST = -2;
const LATEST = -1;
const PATIENCE_MS = 10_000;

/** The first offset kept, and the one up to which everything can be read. Throws the client's errors. */
export async function boundsOf(
  leaders: Leaders,
  topic: string,
  partition: number,
): Promise<{ readonly earliest: number; readonly end: number }> {
  const [earliest, end] = await Promise.all([
    offsetAt(leaders, topic, partition, EARLIEST),
    offsetAt(leaders, topic, partition, LATEST),
  ]);
  return { earliest, end };
}

/** The first offset appended at that instant or later; -1 where there is none. Throws the client's errors. */
export async function offsetAt(leaders: Leaders, topic: string, partition: number, timestamp: number): Promise<number> {
  const { responses } = await leaders.atLeader(
    topic,
    partition,
    (broker) =>
      broker.listOffsets({
        isolationLevel: READ_COMMITTED,
        topics: [{ topic, partitions: [{ partition, timestamp }] }],
      }),
    PATIENCE_MS,
  );
  const offset = responses[0]?.partitions[0]?.offset;
  assert(offset !== undefined, 'the offsets of a partition are answered');
  return Number(offset);
}

/** Lets go of a partition's records before the offset. Throws the client's errors. */
export async function deleteBefore(leaders: Leaders, topic: string, partition: number, offset: number): Promise<void> {
  const topics = [{ topic, partitions: [{ partition, offset: String(offset) }] }];
  await leaders.atLeader(topic, partition, (broker) => broker.deleteRecords({ topics }), PATIENCE_MS);
}
