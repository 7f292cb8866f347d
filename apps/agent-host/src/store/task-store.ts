// Where tasks are kept, as everything else sees it: events of a task in order, who may write them, what callers look up.
// It must never show a task to another user or another application. Implementations: memory, PostgreSQL, Redis; one contract test.
import type { Task, TaskState } from '@a2a-js/sdk';
import type { ReminderBounds } from '#reminders';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import type { TaskEvent } from '../task/task-event.ts';
import type { TaskRefusal } from '../task/task-life.ts';

/** Whose tasks: of one served agent, and of one user of it. */
export interface TaskScope {
  readonly application: string;
  /** Empty where nobody is asked who they are. */
  readonly user: string;
}

export interface TaskKey extends TaskScope {
  readonly taskId: string;
}

/** Who runs a task: a process, for as long as it says so again. */
export interface Lease {
  readonly owner: string;
  readonly leaseMs: number;
}

export interface StoredTask {
  readonly task: Task;
  /** How many events it is a fold of. */
  readonly version: number;
  /** Rises with every run; what a run writes carries its own. */
  readonly epoch: number;
  /** By the store's clock: nobody runs it, somebody does, or who did has not said so again in time. */
  readonly run: 'none' | 'held' | 'abandoned';
  readonly isCancelAsked: boolean;
}

export interface HeldRun {
  readonly key: TaskKey;
  readonly epoch: number;
  readonly isCancelAsked: boolean;
}

export interface NewTask {
  readonly key: TaskKey;
  readonly contextId: string;
  /** `submitted`, and what has happened since. */
  readonly events: readonly TaskEvent[];
  /** The run's; nobody runs it where it is absent. */
  readonly lease?: Lease;
  /** Of a caller who asks for one task, however often it is sent. */
  readonly once?: Once;
}

export interface Once {
  readonly key: string;
  /** Of what was asked: the same key with another is another's. */
  readonly requestHash: string;
}

export type Created =
  { readonly epoch: number } | { readonly known: { readonly taskId: string; readonly requestHash: string } };

/** What must still be so for the events to be appended: the run is the task's last, nothing has happened since. */
export interface AppendGuard {
  readonly epoch?: number;
  readonly version?: number;
}

export type Appended =
  { readonly version: number } | { readonly refused: TaskRefusal | 'fenced' | 'overtaken' | 'unknown' };

export interface TaskQuery {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Epoch milliseconds, inclusive. */
  readonly statusFromMs?: number;
  readonly pageSize: number;
  /** The last task of the page before. */
  readonly after?: PagePlace;
}

/** Tasks are listed by their status, the latest first, then by id, the last first. */
export interface PagePlace {
  readonly statusMs: number;
  readonly taskId: string;
}

/** A page ends, short of its size, behind the task with which it has so many bytes: tasks may be large, and are read whole. */
export const mostPageBytes = 8_000_000;

export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Of all pages. */
  readonly totalCount: number;
  readonly next?: PagePlace;
}

/** Wakes who follows a task. */
export interface TaskWatch {
  /** Resolves once something may have happened since the last call; within a second in any case. */
  next(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Every method may throw `StorageUnavailableError` (retryable). */
export interface TaskStore {
  create(task: NewTask): Promise<Created>;
  /**
   * Appends all, or none. A task that is over has no run any more, and neither has one whose run is `released` with
   * the events: it waits.
   */
  append(key: TaskKey, guard: AppendGuard, events: readonly TaskEvent[], then?: 'release'): Promise<Appended>;
  read(key: TaskKey): Promise<StoredTask | undefined>;
  /** What has happened past the version, in order; the first so many of it, where that is said. */
  eventsAfter(key: TaskKey, version: number, mostCount?: number): Promise<readonly TaskEvent[]>;
  list(scope: TaskScope, query: TaskQuery): Promise<TaskPage>;
  watch(key: TaskKey): TaskWatch;
  /** Makes the run the lease's; its epoch, or undefined where another runs it, it is over, or there is none. */
  takeOver(key: TaskKey, lease: Lease): Promise<number | undefined>;
  /**
   * Says again that the owner runs these, and answers with which of them are its own. What else is its own it may not
   * know of, after a fault between two writes: that is abandoned in time.
   */
  renew(application: string, lease: Lease, keys: readonly TaskKey[]): Promise<readonly HeldRun[]>;
  /** Tasks whose run was not said again in time. */
  abandoned(application: string, limit: number): Promise<readonly TaskKey[]>;
  /** Whoever runs it finds out. Nothing happens where it is over. */
  askToCancel(key: TaskKey): Promise<void>;
  /**
   * Removes tasks that have been over for so long, so many at most, the oldest first: with their events, keys and push
   * configs, so that they are like ones that were never there. How many. One that somebody is still to be told of stays.
   */
  letGo(application: string, overForMs: number, mostCount: number): Promise<number>;
  /** From here on what this process does to tasks is told to their reminders, in the same transaction. */
  keepReminders(bounds?: ReminderBounds): TaskReminders;
  close(): Promise<void>;
}
