// Reads a partition from any offset on, by asking its leader.
import { boundedRead, type LogRecord, MAX_READ_BYTES, type ReadOptions } from '#event-log';
import { type Fetched, readFetched } from './fetched.ts';
import { answerTypeOf } from './kafka-fault.ts';
import { READ_COMMITTED } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';
import { boundsOf } from './offsets.ts';

const PATIENCE_MS = 10_000;

/** As `EventLog.read`. Throws the client's errors. */
export async function readPartition(
  leaders: Leaders,
  topic: string,
  partition: number,
  { from, limit }: ReadOptions,
): Promise<readonly LogRecord[]> {
  for (let next = from; ;) {
    const fetched = await fetchFrom(leaders, topic, partition, next);
    if (fetched.records.length > 0) return boundedRead(fetched.records, 0, limit);
    // Nothing but markers and what was aborted, or really nothing.
    if (fetched.next <= next || fetched.next >= fetched.end) return [];
    next = fetched.next;
  }
}

async function fetchFrom(leaders: Leaders, topic: string, partition: number, from: number): Promise<Fetched> {
  try {
    const { responses } = await leaders.atLeader(
      topic,
      partition,
      (broker) =>
        broker.fetch({
          isolationLevel: READ_COMMITTED,
          maxWaitTime: 0,
          minBytes: 0,
          maxBytes: MAX_READ_BYTES,
          topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: MAX_READ_BYTES }] }],
        }),
      PATIENCE_MS,
    );
    const [fetched] = responses[0]?.partitions ?? [];
    return fetched === undefined ? { records: [], next: from, end: from } : readFetched(fetched, from);
  } catch (error) {
    if (answerTypeOf(error) !== 'OFFSET_OUT_OF_RANGE') throw error;
    const { earliest, end } = await boundsOf(leaders, topic, partition);
    // Past the end there is nothing; what lay before the beginning was let go of.
    return { records: [], next: from < earliest ? earliest : from, end };
  }
}
