// A partition's fold as chunks of bytes, and back: what a start need not fold again. A cache of one version of the
// core's state: another version reads the ledger instead.
import { restoreSnapshot, type SnapshotPart, takeSnapshot } from '#expectations';
import { PartitionDecider } from './partition-decider.ts';

/** Raised whenever a part changes its meaning. */
const VERSION = 1;

interface Head {
  readonly v: number;
  readonly nextOffset: number;
  /** Null before the first record. */
  readonly nowMs: number | null;
}

type Chunk = readonly [tenant: string, part: SnapshotPart];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The decider must not decide until the last chunk is taken. */
export function* encodePartition(decider: PartitionDecider): Generator<Uint8Array> {
  const head: Head = {
    v: VERSION,
    nextOffset: decider.nextOffset,
    nowMs: Number.isFinite(decider.nowMs) ? decider.nowMs : null,
  };
  yield encoder.encode(JSON.stringify(head));
  for (const [tenant, state] of decider.tenants) {
    for (const part of takeSnapshot(state)) yield encoder.encode(JSON.stringify([tenant, part] satisfies Chunk));
  }
}

/** The decider that was encoded; undefined where the chunks are of another version. */
export async function decodePartition(chunks: AsyncIterable<Uint8Array>): Promise<PartitionDecider | undefined> {
  let decider: PartitionDecider | undefined;
  let tenant: string | undefined;
  let parts: SnapshotPart[] = [];
  for await (const bytes of chunks) {
    const chunk = JSON.parse(decoder.decode(bytes)) as Head | Chunk;
    if (!('length' in chunk)) {
      if (chunk.v !== VERSION) return undefined;
      decider = new PartitionDecider(chunk.nextOffset, chunk.nowMs);
      continue;
    }
    if (tenant !== undefined && tenant !== chunk[0]) {
      decider?.tenants.put(tenant, restoreSnapshot(parts));
      parts = [];
    }
    tenant = chunk[0];
    parts.push(chunk[1]);
  }
  if (tenant !== undefined) decider?.tenants.put(tenant, restoreSnapshot(parts));
  return decider;
}
