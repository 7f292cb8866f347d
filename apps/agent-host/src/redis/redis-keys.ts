// What is called how in Redis: one prefix for all, and one hash tag an application, so that whatever is written in one step
// is in one slot. No two names make one key: JSON tells where a text ends, and keeps what is no UTF-8 apart.
import type { TaskState } from '@a2a-js/sdk';
import type { ContextName } from '#reminders';
import type { SessionKey } from '../store/session-store.ts';
import type { TaskKey, TaskScope } from '../store/task-store.ts';

const prefix = 'duewatch-host:';

/** What processes on one Redis tell each other. */
export const tasksChannel = `${prefix}tasks`;

/** Written to know whether anything can be. */
export const checkKey = `${prefix}check`;

/** As a member of a set of its application. */
export function memberOf({ user, taskId }: TaskKey): string {
  return JSON.stringify([user, taskId]);
}

export function keyOfMember(application: string, member: string): TaskKey {
  const [user, taskId] = JSON.parse(member) as [string, string];
  return { application, user, taskId };
}

/** A hash: where it stands, its snapshot, its run. */
export function taskKey(key: TaskKey): string {
  return `${tasksPrefix(key)}${key.taskId}`;
}

/** A list: what has happened, in order. */
export function eventsKey(key: TaskKey): string {
  return `${eventsPrefix(key)}${key.taskId}`;
}

/** Before the task's id as it is: a page is read by the ids in it. */
export function tasksPrefix({ application, user }: TaskScope): string {
  return `${tagOf(application)}task:${JSON.stringify(user)}:`;
}

export function eventsPrefix({ application, user }: TaskScope): string {
  return `${tagOf(application)}events:${JSON.stringify(user)}:`;
}

/** Sorted by the instant of their status: the user's tasks, of one context, of one state, or of both. */
export function listKey({ application, user }: TaskScope, contextId?: string, state?: TaskState): string {
  return `${tagOf(application)}list:${JSON.stringify([user, contextId ?? null, state ?? null])}`;
}

/** A hash: the task that a caller's key has made. */
export function onceKey({ application, user }: TaskScope, once: string): string {
  return `${tagOf(application)}once:${JSON.stringify([user, once])}`;
}

/** Runs by the end of their lease. */
export function leasesKey(application: string): string {
  return `${tagOf(application)}leases`;
}

/** Tasks that are over, by when. */
export function overKey(application: string): string {
  return `${tagOf(application)}over`;
}

/** A hash: what the tasks of a context are to be reminded of. */
export function contextKey(application: string, { owner, contextId }: ContextName): string {
  return `${tagOf(application)}context:${JSON.stringify([owner, contextId])}`;
}

export function sessionKey({ application, user, contextId }: SessionKey): string {
  return `${sessionsKey(application)}:${JSON.stringify([user, contextId])}`;
}

/** Sessions by their last use. */
export function sessionsKey(application: string): string {
  return `${tagOf(application)}session`;
}

export function workKeys(application: string) {
  const tag = `${tagOf(application)}work`;
  return {
    /** Before the member of each. */
    prefix: `${tag}:`,
    /** Counts what was queued. */
    count: `${tag}-count`,
    /** In the order in which it was queued. */
    waiting: `${tag}-waiting`,
    /** By the end of the lease, or of the time for which nobody claims it. */
    held: `${tag}-held`,
    /** Waits for somebody outside whose turn is over, by when they are late. */
    late: `${tag}-late`,
  };
}

export function waitKeys(application: string) {
  const tag = `${tagOf(application)}wait`;
  return {
    /** A hash: whose wait it is, and whether it is ended. It outlives the wait. */
    wait: (tokenHash: string) => `${tag}:${tokenHash}`,
    /** Those that nobody waits for any more, by since when. */
    over: `${tag}-over`,
  };
}

export function pushKeys(application: string) {
  const tag = `${tagOf(application)}push`;
  return {
    config: ({ user, taskId }: TaskKey, configId: string) => `${tag}:${JSON.stringify([user, taskId, configId])}`,
    /** The set of the configs of a task. */
    ofTask: (key: TaskKey) => `${tag}-task:${memberOf(key)}`,
    /** Of those that are told what happens. */
    openOfTask: (key: TaskKey) => `${tag}-open:${memberOf(key)}`,
    /** Before the user: what is to be told of this user's tasks, by when. */
    duePrefix: `${tag}-due:`,
    /** Users of whom something is to be told, by when. */
    users: `${tag}-users`,
  };
}

function tagOf(application: string): string {
  return `${prefix}{${JSON.stringify(application).replaceAll('}', '\\u007d')}}:`;
}
