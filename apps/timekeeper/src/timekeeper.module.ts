// The timekeeper. `EVENT_LOG`, `CLOCK`, `DEPLOYMENT` and `ON_FATAL` come from a global module of the composition root, as
// may `SNAPSHOT_STORE`, `SNAPSHOT_MAKER` and `INBOX_RETENTION_MS`.
import { Module } from '@nestjs/common';
import { InboxRetention } from './inbox-retention.ts';
import { Snapshotter } from './snapshotter.ts';
import { Timekeeper } from './timekeeper.ts';

export { DEPLOYMENT, ON_FATAL, SNAPSHOT_STORE, Timekeeper } from './timekeeper.ts';
export { SNAPSHOT_MAKER, type SnapshotMaker } from './snapshotter.ts';
export { INBOX_RETENTION_MS } from './inbox-retention.ts';
export { threadSnapshotMaker } from './thread-snapshot-maker.ts';

@Module({ providers: [Timekeeper, Snapshotter, InboxRetention], exports: [Timekeeper] })
export class TimekeeperModule {}
