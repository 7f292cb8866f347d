// Every app's module in one process: the embedded watcher.
import { type DynamicModule, Module } from '@nestjs/common';
import {
  type Config,
  diskCheck,
  EdgeModule,
  EVENT_LOG,
  type HealthCheck,
  HealthModule,
  MetricsModule,
  type MetricSource,
  ReadinessMetrics,
} from '#runtime';
import { WritesMetrics, WritesModule } from '#writes';
import {
  DispatcherMetrics,
  DispatcherModule,
  FollowMetrics,
  NoticeMetrics,
  ReminderMetrics,
} from '../../../dispatcher/src/dispatcher.module.ts';
import { FactsModule, FeedMetrics } from '../../../facts/src/facts.module.ts';
import type { Memberships } from '#serving';
import { FollowerMetrics, FollowerModule } from '../../../intake/src/follower.module.ts';
import { CardMetrics, GatewayMetrics, IntakeModule } from '../../../intake/src/intake.module.ts';
import {
  ParkedMetrics,
  ProjectorHealth,
  ProjectorMetrics,
  ProjectorModule,
} from '../../../projector/src/projector.module.ts';
import { QueryModule } from '../../../query/src/query.module.ts';
import {
  InboxMetrics,
  Timekeeper,
  TimekeeperMetrics,
  TimekeeperModule,
} from '../../../timekeeper/src/timekeeper.module.ts';
import { WebModule } from '../../../web/src/web.module.ts';
import { PortsModule } from '../process/ports.module.ts';
import { embeddedPorts } from './embedded-ports.ts';
import type { Stores } from './stores.ts';

const measured = [
  ...[TimekeeperModule, FollowerModule, DispatcherModule, ProjectorModule],
  ...[IntakeModule, FactsModule, WritesModule],
];
const metricSources = [
  EVENT_LOG,
  ReadinessMetrics,
  TimekeeperMetrics,
  InboxMetrics,
  DispatcherMetrics,
  FollowMetrics,
  NoticeMetrics,
  ReminderMetrics,
  FollowerMetrics,
  ProjectorMetrics,
  ParkedMetrics,
  CardMetrics,
  FeedMetrics,
  GatewayMetrics,
  WritesMetrics,
];

@Module({})
export class EmbeddedModule {
  static register(
    config: Config,
    stores: Stores,
    memberships: Memberships,
    onFatal: (error: unknown) => void,
  ): DynamicModule {
    // Another's server keeps its data on a disk that is not ours to see.
    const ownDisk = config.databaseUrl === undefined ? [diskCheck(config.dataDirectory)] : [];
    const health = HealthModule.register({
      imports: [TimekeeperModule, ProjectorModule],
      inject: [Timekeeper, ProjectorHealth],
      useFactory: (...checks: HealthCheck[]) => [...checks, ...ownDisk],
    });
    return {
      module: EmbeddedModule,
      imports: [
        PortsModule.register(embeddedPorts(config, stores, memberships, onFatal)),
        EdgeModule,
        FollowerModule,
        IntakeModule,
        FactsModule,
        TimekeeperModule,
        DispatcherModule,
        ProjectorModule,
        QueryModule,
        WebModule,
        health,
        MetricsModule.register({
          imports: [health, ...measured],
          inject: metricSources,
          useFactory: (...sources: MetricSource[]) => sources,
        }),
      ],
    };
  }
}
