// What one app alone is made of: its module, the ports that it needs and no others, and what it needs to be ready.
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { OUTBOUND } from '#outbound';
import { openReadModel, READ_MODEL, READ_MODEL_FOR_QUESTIONS } from '#read-model';
import {
  CLOCK,
  CONFIG,
  type Config,
  CREDENTIAL_SEAL,
  CredentialSeal,
  EDGE_DATABASE,
  EdgeModule,
  EVENT_LOG,
  FEEDS,
  type HealthCheck,
  HealthModule,
  type HealthOptions,
  MetricsModule,
  type MetricsOptions,
  type MetricSource,
  openEdgeDatabase,
  ProblemFilter,
  RANDOM,
  ReadinessMetrics,
  systemClock,
  systemRandom,
  TENANT_OPENING,
} from '#runtime';
import { type Memberships, MEMBERSHIPS } from '#serving';
import { TenantSettings, WritesMetrics, WritesModule } from '#writes';
import {
  DISPATCH_DATABASE,
  DISPATCHER_OPTIONS,
  DispatcherMetrics,
  DispatcherModule,
  dispatcherOptions,
  FollowMetrics,
  NoticeMetrics,
  ReminderMetrics,
  openDispatchDatabase,
} from '../../../dispatcher/src/dispatcher.module.ts';
import { FactsModule, FeedMetrics } from '../../../facts/src/facts.module.ts';
import {
  FOLLOWER_OPTIONS,
  FollowerMetrics,
  FollowerModule,
  followerOptions,
} from '../../../intake/src/follower.module.ts';
import { CardMetrics, GatewayMetrics, IntakeModule } from '../../../intake/src/intake.module.ts';
import {
  ParkedMetrics,
  ProjectorHealth,
  ProjectorMetrics,
  ProjectorModule,
} from '../../../projector/src/projector.module.ts';
import { QueryModule } from '../../../query/src/query.module.ts';
import {
  DEPLOYMENT,
  INBOX_RETENTION_MS,
  InboxMetrics,
  LAST_SNAPSHOTS_MS,
  ON_FATAL,
  SNAPSHOT_MAKER,
  SNAPSHOT_STORE,
  threadSnapshotMaker,
  Timekeeper,
  TimekeeperMetrics,
  TimekeeperModule,
} from '../../../timekeeper/src/timekeeper.module.ts';
import { WebModule } from '../../../web/src/web.module.ts';
import type { SharedLog } from '../process/open-log.ts';
import type { Opened } from '../process/opened.ts';
import { openOutbound } from '../process/open-outbound.ts';
import { type Port, PortsModule } from '../process/ports.module.ts';
import type { AppName } from './apps.ts';
import type { Requirements } from './requirements.ts';

/** The end of a timekeeper waits so long for snapshots that are worth making. */
const lastSnapshotsMs = 5_000;

export interface Surroundings extends SharedLog, Requirements {
  readonly config: Config;
  readonly opened: Opened;
  readonly memberships: Memberships;
  readonly onFatal: (error: unknown) => void;
}

interface Composition {
  readonly modules: NonNullable<ModuleMetadata['imports']>;
  readonly ports: readonly Port[];
  readonly health: HealthOptions;
  /** Of what of the app's own it tells at `/metrics`, and which of its modules have them. */
  readonly metrics: Required<Pick<MetricsOptions, 'imports' | 'inject'>>;
}

type Compose = (surroundings: Surroundings) => Promise<Composition>;

const ofWrites: Composition['metrics'] = { imports: [WritesModule], inject: [WritesMetrics] };

const compositions: Readonly<Record<AppName, Compose>> = {
  intake: async (around) => {
    const questions = await opening(around, openReadModel(around.databaseUrl, 2));
    const ports = [
      ...[sealPort(around), outboundPort(around), port(READ_MODEL_FOR_QUESTIONS, questions)],
      ...[port(RANDOM, systemRandom), port(FOLLOWER_OPTIONS, followerOptions(around.config))],
    ];
    return writing(around, [IntakeModule, FollowerModule], ports, {
      imports: [IntakeModule, FollowerModule, ...ofWrites.imports],
      inject: [CardMetrics, FollowerMetrics, GatewayMetrics, ...ofWrites.inject],
    });
  },
  facts: async (around) =>
    writing(around, [FactsModule], around.feeds === undefined ? [] : [port(FEEDS, around.feeds)], {
      imports: [FactsModule, ...ofWrites.imports],
      inject: [FeedMetrics, ...ofWrites.inject],
    }),
  timekeeper: async (around) => deciding(around),
  dispatcher: async (around) => {
    const { databaseUrl } = around;
    const [edge, dispatch, readModel] = await Promise.all([
      opening(around, openEdgeDatabase(databaseUrl)),
      opening(around, openDispatchDatabase(databaseUrl)),
      opening(around, openReadModel(databaseUrl, 2)),
    ]);
    const ports = [
      ...[sealPort(around), outboundPort(around), { provide: RANDOM, useValue: systemRandom }],
      ...[port(EDGE_DATABASE, edge), port(DISPATCH_DATABASE, dispatch), port(READ_MODEL, readModel)],
      port(DISPATCHER_OPTIONS, dispatcherOptions(around.config)),
    ];
    const checks = [settledCheck(around), logCheck(around), databaseCheck(dispatch)];
    return {
      modules: [problems, DispatcherModule],
      ports,
      health: { useFactory: () => checks },
      metrics: {
        imports: [DispatcherModule],
        inject: [DispatcherMetrics, FollowMetrics, NoticeMetrics, ReminderMetrics],
      },
    };
  },
  projector: async (around) => {
    const readModel = await opening(around, openReadModel(around.databaseUrl, 10));
    const health = {
      imports: [ProjectorModule],
      inject: [ProjectorHealth],
      useFactory: (projector: ProjectorHealth) => [projector, databaseCheck(readModel)],
    };
    const metrics = { imports: [ProjectorModule], inject: [ProjectorMetrics, ParkedMetrics] };
    return { modules: [problems, ProjectorModule], ports: [port(READ_MODEL, readModel)], health, metrics };
  },
  query: async (around) => {
    const questions = await opening(around, openReadModel(around.databaseUrl, 10));
    return writing(around, [QueryModule, WebModule], [port(READ_MODEL_FOR_QUESTIONS, questions)], ofWrites);
  },
};

/** The root module of an app alone. What it opens is closed with the rest. Throws what its stores throw. */
export async function compose(app: AppName, around: Surroundings): Promise<DynamicModule> {
  const { modules, ports, health, metrics } = await compositions[app](around);
  const healthModule = HealthModule.register(health);
  const ofAll = [
    ...[port(CONFIG, around.config), port(CLOCK, systemClock)],
    ...[port(EVENT_LOG, around.log), port(MEMBERSHIPS, around.memberships)],
  ];
  return {
    module: class AppAloneModule {},
    imports: [
      PortsModule.register([...ofAll, ...ports]),
      ...modules,
      healthModule,
      MetricsModule.register({
        imports: [healthModule, ...metrics.imports],
        inject: [EVENT_LOG, ReadinessMetrics, ...metrics.inject],
        useFactory: (...sources: MetricSource[]) => sources,
      }),
    ],
  };
}

/** Everything behind a key: who may make keys may open a tenant. */
async function writing(
  around: Surroundings,
  modules: Composition['modules'],
  ports: readonly Port[],
  metrics: Composition['metrics'],
): Promise<Composition> {
  const edge = await opening(around, openEdgeDatabase(around.databaseUrl));
  const checks = [logCheck(around), databaseCheck(edge)];
  return {
    modules: [EdgeModule, ...modules],
    ports: [...ports, port(EDGE_DATABASE, edge), { provide: TENANT_OPENING, useClass: TenantSettings }],
    health: { useFactory: () => checks },
    metrics,
  };
}

function deciding({ config, onFatal, snapshots, address }: Surroundings): Composition {
  return {
    modules: [problems, TimekeeperModule],
    ports: [
      ...[port(DEPLOYMENT, config.deployment), port(ON_FATAL, onFatal)],
      ...[port(INBOX_RETENTION_MS, config.inboxRetentionMs), port(SNAPSHOT_STORE, snapshots)],
      ...(address === undefined ? [] : [port(SNAPSHOT_MAKER, threadSnapshotMaker(address))]),
      port(LAST_SNAPSHOTS_MS, lastSnapshotsMs),
    ],
    health: {
      imports: [TimekeeperModule],
      inject: [Timekeeper],
      useFactory: (timekeeper: Timekeeper) => [timekeeper],
    },
    metrics: { imports: [TimekeeperModule], inject: [TimekeeperMetrics, InboxMetrics] },
  };
}

/** What is asked over HTTP of an app that serves nothing there but its health. */
@Module({ providers: [{ provide: APP_FILTER, useClass: ProblemFilter }] })
class ProblemsModule {}
const problems = ProblemsModule;

function port(provide: symbol, useValue: unknown): Port {
  return { provide, useValue };
}

function sealPort({ sealKey }: Surroundings): Port {
  return port(CREDENTIAL_SEAL, new CredentialSeal(sealKey));
}

function outboundPort({ opened, config }: Surroundings): Port {
  return port(
    OUTBOUND,
    opened.add(openOutbound(config), (outbound) => outbound.close()),
  );
}

function opening({ opened }: Surroundings, database: Promise<DataSource>): Promise<DataSource> {
  return opened.addLater(database, (open) => open.destroy());
}

function logCheck({ log }: Surroundings): HealthCheck {
  return { name: 'log', check: () => log.bounds('inbox', 0) };
}

function databaseCheck(database: DataSource): HealthCheck {
  return { name: 'database', check: () => database.query('SELECT 1') };
}

function settledCheck({ memberships }: Surroundings): HealthCheck {
  return {
    name: 'dispatcher',
    check: async () => {
      if (memberships.partitionsOf('dispatcher') !== undefined) return;
      throw new Error('it is not known yet which partitions are to be dispatched here');
    },
  };
}
