// The log: port, envelopes, positions, the tenant's partition, and the in-memory implementation.
export * from './port.ts';
export * from './measured-event-log.ts';
export * from './position.ts';
export * from './partition.ts';
export * from './inbox-entry.ts';
export * from './ledger-entry.ts';
export * from './watcher-event.ts';
export * from './codec.ts';
export * from './log-ends.ts';
export * from './append-queue.ts';
export * from './safe-text.ts';
export * from './serial-ledger-writer.ts';
export * from './memory/memory-event-log.ts';
export * from './snapshot-store.ts';
export * from './partition-share.ts';
export * from './memory/sole-share.ts';
export * from './memory/memory-snapshot-store.ts';
export type * from './feed.ts';
