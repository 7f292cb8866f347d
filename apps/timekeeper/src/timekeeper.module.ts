// The timekeeper. `EVENT_LOG`, `CLOCK`, `MEMBERSHIPS`, `DEPLOYMENT` and `ON_FATAL` come from a global module of the
// composition root, as may `SNAPSHOT_STORE`, `SNAPSHOT_MAKER`, `LAST_SNAPSHOTS_MS` and `INBOX_RETENTION_MS`.
import { Module } from '@nestjs/common';
import { InboxRetention } from './inbox-retention.ts';
import { InboxMetrics } from './inbox-metrics.ts';
import { Snapshotter } from './snapshotter.ts';
import { TimekeeperController } from './timekeeper.controller.ts';
import { TimekeeperMetrics } from './timekeeper-metrics.ts';
import { Timekeeper } from './timekeeper.ts';

export { DEPLOYMENT, ON_FATAL, SNAPSHOT_STORE, Timekeeper } from './timekeeper.ts';
export { InboxMetrics } from './inbox-metrics.ts';
export { TimekeeperMetrics } from './timekeeper-metrics.ts';
export { LAST_SNAPSHOTS_MS, SNAPSHOT_MAKER, type SnapshotMaker } from './snapshotter.ts';
export { INBOX_RETENTION_MS } from './inbox-retention.ts';
export type { LogAddress } from './log-address.ts';
export { threadSnapshotMaker } from './thread-snapshot-maker.ts';

@Module({
  controllers: [TimekeeperController],
  providers: [Timekeeper, TimekeeperMetrics, InboxMetrics, Snapshotter, InboxRetention],
  exports: [Timekeeper, TimekeeperMetrics, InboxMetrics],
})
export class TimekeeperModule {}
