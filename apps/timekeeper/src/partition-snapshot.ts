// A partition's fold as chunks of bytes, and back: what a start need not fold again. A cache of one version of the
// core's state: another version reads the ledger instead.
import { type SnapshotPart, SnapshotRestore, takeSnapshot } from '#expectations';
import type { Core } from './core.ts';
import { PartitionDecider } from './partition-decider.ts';
import type { PlaceParts } from './partition-place.ts';
import type { Hold } from './tenants.ts';

/** Raised whenever a part changes its meaning. */
const VERSION = 2;

interface Head {
  readonly v: number;
  readonly place: PlaceParts;
  readonly holds: readonly (readonly [tenant: string, hold: Hold])[];
}

type Chunk = readonly [tenant: string, part: SnapshotPart];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The decider must not decide until the last chunk is taken. Throws where a tenant's ledger could not be folded: a
 * version that can must find it whole.
 */
export function* encodePartition(decider: PartitionDecider): Generator<Uint8Array> {
  const { place, tenants } = decider;
  for (const [tenant, why] of tenants.faulty) throw new Error(`the ledger of ${tenant} cannot be folded: ${why}`);
  const head: Head = { v: VERSION, place: place.parts, holds: [...tenants.held] };
  yield encoder.encode(JSON.stringify(head));
  for (const [tenant, state] of decider.tenants) {
    for (const part of takeSnapshot(state)) yield encoder.encode(JSON.stringify([tenant, part] satisfies Chunk));
  }
}

/** The decider that was encoded, taken up chunk by chunk as they come; undefined where they are of another version. */
export async function decodePartition(
  chunks: AsyncIterable<Uint8Array>,
  core?: Core,
): Promise<PartitionDecider | undefined> {
  let decider: PartitionDecider | undefined;
  let tenant: string | undefined;
  let restore = new SnapshotRestore();
  for await (const bytes of chunks) {
    const chunk = JSON.parse(decoder.decode(bytes)) as Head | Chunk;
    if (!('length' in chunk)) {
      if (chunk.v !== VERSION) return undefined;
      decider = new PartitionDecider(chunk.place, core);
      for (const [held, hold] of chunk.holds) decider.tenants.hold(held, hold);
      continue;
    }
    if (tenant !== undefined && tenant !== chunk[0]) {
      decider?.tenants.put(tenant, restore.end());
      restore = new SnapshotRestore();
    }
    tenant = chunk[0];
    restore.add(chunk[1]);
  }
  if (tenant !== undefined) decider?.tenants.put(tenant, restore.end());
  return decider;
}
