// The snapshot store as one instance reaches it. Snapshots may be gone at any time: they are a cache.
import { LogUnavailableError, MemorySnapshotStore, type SnapshotStore, type StoredSnapshot } from '#event-log';
import type { Instance } from './instance.ts';

export class SharedSnapshots {
  store = new MemorySnapshotStore();

  deleteAll(): void {
    this.store = new MemorySnapshotStore();
  }
}

export class SimulatedSnapshots implements SnapshotStore {
  constructor(
    private readonly shared: SharedSnapshots,
    private readonly instance: Instance,
  ) {}

  save(partition: number, ledgerOffset: number, chunks: Iterable<Uint8Array>): Promise<void> {
    return this.call(`save snapshot ${partition} at ${ledgerOffset}`, () =>
      this.shared.store.save(partition, ledgerOffset, chunks),
    );
  }

  load(partition: number): Promise<StoredSnapshot | undefined> {
    return this.call(
      `load snapshot ${partition}`,
      () => this.shared.store.load(partition),
      (found) => (found === undefined ? 'none' : `at ${found.ledgerOffset}`),
    );
  }

  private call<T>(what: string, effect: () => Promise<T>, shown?: (answer: T) => string): Promise<T> {
    const fault = (): Error => new LogUnavailableError('the snapshot store did not answer');
    return this.instance.call({ port: 'store', what, effect, fault, ...(shown && { shown }) });
  }
}
