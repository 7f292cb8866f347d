// Where snapshots of a partition's fold are kept: a cache, so that a start folds only the ledger's tail. Deleting it
// costs time only. It must never show a snapshot that is not whole.

export interface StoredSnapshot {
  /** The last ledger offset that is folded in it. */
  readonly ledgerOffset: number;
  /** In the order in which they were saved. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The port; one contract test for all implementations. Methods may throw `LogUnavailableError`. */
export interface SnapshotStore {
  /** Keeps a snapshot instead of the partition's earlier ones, which stay until the last chunk is in. */
  save(partition: number, ledgerOffset: number, chunks: Iterable<Uint8Array>): Promise<void>;
  /** The newest whole one, or undefined. Its chunks can be read once, and at once. */
  load(partition: number): Promise<StoredSnapshot | undefined>;
}
