// Snapshots in memory keep the contract of all stores.
import { describeSnapshotStore } from '#testing';
import { MemorySnapshotStore } from './memory-snapshot-store.ts';

describeSnapshotStore('snapshots in memory', async () => ({
  store: new MemorySnapshotStore(),
  close: async () => undefined,
}));
