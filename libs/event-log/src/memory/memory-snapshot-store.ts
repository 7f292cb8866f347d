// Snapshots in memory, beside a log in memory.
import type { SnapshotStore, StoredSnapshot } from '../snapshot-store.ts';

interface Kept {
  readonly ledgerOffset: number;
  readonly chunks: readonly Uint8Array[];
}

export class MemorySnapshotStore implements SnapshotStore {
  private readonly kept = new Map<number, Kept>();

  async save(partition: number, ledgerOffset: number, chunks: Iterable<Uint8Array>): Promise<void> {
    this.kept.set(partition, { ledgerOffset, chunks: [...chunks] });
  }

  async load(partition: number): Promise<StoredSnapshot | undefined> {
    const kept = this.kept.get(partition);
    return kept === undefined ? undefined : { ledgerOffset: kept.ledgerOffset, chunks: inTurn(kept.chunks) };
  }
}

async function* inTurn(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
