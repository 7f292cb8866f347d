// What the host keeps, and where: tasks, sessions and queued work are three responsibilities, each given a place by itself.
import type { DataSource } from 'typeorm';
import type { Clock, CredentialSeal, RedisAddress } from '#runtime';
import type { PushConfigs } from '../push/push-configs.ts';
import { PushStore } from '../push/push-store.ts';
import { RedisPushStore } from '../push/redis-push-store.ts';
import { HostRedis } from '../redis/host-redis.ts';
import { MemoryWorkQueue } from '../work/memory-work-queue.ts';
import { PostgresWorkQueue } from '../work/postgres-work-queue.ts';
import { RedisWorkQueue } from '../work/redis-work-queue.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import { checkWrites, openHostDatabase } from './host-database.ts';
import { HostNotifications } from './host-notifications.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { MemoryTaskStore } from './memory-task-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';
import { RedisSessionStore } from './redis-session-store.ts';
import { RedisTaskStore } from './redis-task-store.ts';
import type { SessionStore } from './session-store.ts';
import type { TaskStore } from './task-store.ts';

export type StoreKind = 'memory' | 'postgres' | 'redis';

export interface HostStores {
  readonly tasks: TaskStore;
  readonly sessions: SessionStore;
  /** Absent: no work is queued. */
  readonly work?: WorkQueue;
  /** Kept with the tasks, where they survive the process. */
  readonly push?: PushConfigs;
}

export interface StorePlaces {
  readonly tasks: StoreKind;
  readonly sessions: StoreKind;
  /** Absent: no work is queued. */
  readonly work?: StoreKind;
}

export interface OpenStoresOptions {
  readonly places: StorePlaces;
  /** Needed where anything is kept in PostgreSQL. */
  readonly databaseUrl: string | undefined;
  /** Needed where anything is kept in Redis. */
  readonly redis?: RedisAddress;
  /** What callers' credentials for push notifications are kept with; without it there are none. */
  readonly seal?: CredentialSeal;
  readonly clock: Clock;
  readonly report: (fault: unknown) => void;
}

export interface OpenedStores extends HostStores {
  /** Resolves while what is kept can be had. */
  check(): Promise<unknown>;
  close(): Promise<void>;
}

/** What stores share: of each kind one, where it is asked for. */
interface Shared {
  readonly postgres?: { readonly database: DataSource; readonly notifications: HostNotifications };
  readonly redis?: HostRedis;
}

/**
 * Opens what is asked for, and nothing else. Throws the driver's error where the database cannot be reached,
 * `StorageUnavailableError` where Redis cannot, and `RedisUnfitError` where it would lose what it is given.
 */
export async function openHostStores(options: OpenStoresOptions): Promise<OpenedStores> {
  const { places, clock, seal } = options;
  const shared = await openShared(options);
  const push = seal === undefined ? undefined : openPush(places.tasks, shared, seal);
  const check = async (): Promise<unknown> =>
    Promise.all([shared.postgres && checkWrites(shared.postgres.database), shared.redis?.check()]);
  return {
    tasks: openTasks(places.tasks, shared, clock),
    sessions: openSessions(places.sessions, shared, clock),
    ...(places.work !== undefined && { work: openWork(places.work, shared, clock) }),
    ...(push && { push }),
    ...{ check, close: () => closeShared(shared) },
  };
}

function openTasks(place: StoreKind, shared: Shared, clock: Clock): TaskStore {
  switch (place) {
    case 'memory':
      return new MemoryTaskStore(clock);
    case 'postgres': {
      const { database, notifications } = opened(shared.postgres);
      return new PostgresTaskStore(database, notifications);
    }
    case 'redis':
      return new RedisTaskStore(opened(shared.redis));
  }
}

function openSessions(place: StoreKind, shared: Shared, clock: Clock): SessionStore {
  switch (place) {
    case 'memory':
      return new MemorySessionStore(undefined, clock);
    case 'postgres':
      return new PostgresSessionStore(opened(shared.postgres).database);
    case 'redis':
      return new RedisSessionStore(opened(shared.redis));
  }
}

function openWork(place: StoreKind, shared: Shared, clock: Clock): WorkQueue {
  switch (place) {
    case 'memory':
      return new MemoryWorkQueue(clock);
    case 'postgres':
      return new PostgresWorkQueue(opened(shared.postgres).database);
    case 'redis':
      return new RedisWorkQueue(opened(shared.redis));
  }
}

function openPush(place: StoreKind, shared: Shared, seal: CredentialSeal): PushConfigs | undefined {
  switch (place) {
    case 'memory':
      return undefined;
    case 'postgres':
      return new PushStore(opened(shared.postgres).database, seal);
    case 'redis':
      return new RedisPushStore(opened(shared.redis), seal);
  }
}

function opened<Kind>(shared: Kind | undefined): Kind {
  if (shared === undefined) throw new Error('a store needs what was not opened');
  return shared;
}

async function openShared({ places, databaseUrl, redis, clock, report }: OpenStoresOptions): Promise<Shared> {
  const kinds = Object.values(places);
  if (kinds.includes('postgres') && databaseUrl === undefined)
    throw new Error('a store in PostgreSQL needs a database');
  if (kinds.includes('redis') && redis === undefined) throw new Error('a store in Redis needs a Redis');
  const open: { -readonly [Kind in keyof Shared]: Shared[Kind] } = {};
  try {
    if (kinds.includes('redis') && redis !== undefined) open.redis = await HostRedis.open(redis, { clock, report });
    if (kinds.includes('postgres') && databaseUrl !== undefined) {
      const database = await openHostDatabase(databaseUrl);
      open.postgres = { database, notifications: new HostNotifications(database, databaseUrl, clock, report) };
      open.postgres.notifications.start();
    }
    return open;
  } catch (error) {
    await closeShared(open);
    throw error;
  }
}

async function closeShared({ postgres, redis }: Shared): Promise<void> {
  redis?.close();
  await postgres?.notifications.stop();
  await postgres?.database.destroy();
}
