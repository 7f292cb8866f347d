// The ports of every app on the stores of the embedded watcher.
import { OUTBOUND } from '#outbound';
import { READ_MODEL, READ_MODEL_FOR_QUESTIONS } from '#read-model';
import {
  CLOCK,
  CONFIG,
  type Config,
  CREDENTIAL_SEAL,
  EDGE_DATABASE,
  EVENT_LOG,
  RANDOM,
  systemClock,
  systemRandom,
  TENANT_OPENING,
} from '#runtime';
import { type Memberships, MEMBERSHIPS } from '#serving';
import { TenantSettings } from '#writes';
import { DISPATCH_DATABASE, DISPATCHER_OPTIONS, dispatcherOptions } from '../../../dispatcher/src/dispatcher.module.ts';
import {
  DEPLOYMENT,
  INBOX_RETENTION_MS,
  ON_FATAL,
  SNAPSHOT_MAKER,
  SNAPSHOT_STORE,
  threadSnapshotMaker,
} from '../../../timekeeper/src/timekeeper.module.ts';
import { FOLLOWER_OPTIONS, followerOptions } from '../../../intake/src/follower.module.ts';
import type { Port } from '../process/ports.module.ts';
import type { Stores } from './stores.ts';

export function embeddedPorts(
  config: Config,
  stores: Stores,
  memberships: Memberships,
  onFatal: (error: unknown) => void,
): readonly Port[] {
  const { databaseUrl } = stores;
  const { partitionCount } = config;
  return [
    { provide: CONFIG, useValue: config },
    { provide: CLOCK, useValue: systemClock },
    { provide: RANDOM, useValue: systemRandom },
    { provide: EVENT_LOG, useValue: stores.log },
    { provide: MEMBERSHIPS, useValue: memberships },
    { provide: EDGE_DATABASE, useValue: stores.edge },
    { provide: CREDENTIAL_SEAL, useValue: stores.seal },
    { provide: DISPATCH_DATABASE, useValue: stores.dispatch },
    { provide: DISPATCHER_OPTIONS, useValue: dispatcherOptions(config) },
    { provide: READ_MODEL, useValue: stores.readModel },
    { provide: READ_MODEL_FOR_QUESTIONS, useValue: stores.questions },
    { provide: FOLLOWER_OPTIONS, useValue: followerOptions(config) },
    { provide: OUTBOUND, useValue: stores.outbound },
    { provide: DEPLOYMENT, useValue: 'embedded' },
    { provide: ON_FATAL, useValue: onFatal },
    { provide: INBOX_RETENTION_MS, useValue: config.inboxRetentionMs },
    { provide: SNAPSHOT_STORE, useValue: stores.snapshots },
    { provide: SNAPSHOT_MAKER, useValue: threadSnapshotMaker({ store: 'postgres', databaseUrl, partitionCount }) },
    { provide: TENANT_OPENING, useClass: TenantSettings },
  ];
}
