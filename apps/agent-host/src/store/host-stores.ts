// What the host keeps, and where: tasks, sessions and queued work are three responsibilities, each given a place by itself.
import type { DataSource } from 'typeorm';
import type { Clock, CredentialSeal } from '#runtime';
import { PushStore } from '../push/push-store.ts';
import { MemoryWorkQueue } from '../work/memory-work-queue.ts';
import { PostgresWorkQueue } from '../work/postgres-work-queue.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import { checkWrites, openHostDatabase } from './host-database.ts';
import { HostNotifications } from './host-notifications.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { MemoryTaskStore } from './memory-task-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';
import { PostgresTaskStore } from './postgres-task-store.ts';
import type { SessionStore } from './session-store.ts';
import type { TaskStore } from './task-store.ts';

export type StoreKind = 'memory' | 'postgres';

export interface HostStores {
  readonly tasks: TaskStore;
  readonly sessions: SessionStore;
  /** Absent: no work is queued. */
  readonly work?: WorkQueue;
  /** Kept with the tasks, where they survive the process. */
  readonly push?: PushStore;
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

/** Opens what is asked for, and nothing else. Throws the driver's error where the database cannot be reached. */
export async function openHostStores(options: OpenStoresOptions): Promise<OpenedStores> {
  const { places, databaseUrl, seal, clock, report } = options;
  const isShared = Object.values(places).includes('postgres');
  if (isShared && databaseUrl === undefined) throw new Error('a store in PostgreSQL needs a database');
  const shared = isShared && databaseUrl !== undefined ? await openShared(databaseUrl, clock, report) : undefined;
  const tasks =
    places.tasks === 'postgres' && shared !== undefined
      ? new PostgresTaskStore(shared.database, shared.notifications)
      : new MemoryTaskStore(clock);
  const push =
    places.tasks === 'postgres' && shared !== undefined && seal !== undefined
      ? new PushStore(shared.database, seal)
      : undefined;
  const sessions =
    places.sessions === 'postgres' && shared !== undefined
      ? new PostgresSessionStore(shared.database)
      : new MemorySessionStore();
  const close = async (): Promise<void> => {
    await shared?.notifications.stop();
    await shared?.database.destroy();
  };
  const check = async (): Promise<unknown> => shared && checkWrites(shared.database);
  return { check, tasks, sessions, ...openWork(places.work, shared, clock), ...(push && { push }), close };
}

function openWork(
  place: StoreKind | undefined,
  shared: Shared | undefined,
  clock: Clock,
): { readonly work?: WorkQueue } {
  if (place === undefined) return {};
  if (place === 'memory') return { work: new MemoryWorkQueue(clock) };
  return shared === undefined ? {} : { work: new PostgresWorkQueue(shared.database) };
}

interface Shared {
  readonly database: DataSource;
  readonly notifications: HostNotifications;
}

async function openShared(databaseUrl: string, clock: Clock, report: (fault: unknown) => void): Promise<Shared> {
  const database = await openHostDatabase(databaseUrl);
  const notifications = new HostNotifications(database, databaseUrl, clock, report);
  notifications.start();
  return { database, notifications };
}
