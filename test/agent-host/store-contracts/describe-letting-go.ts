// How the ports `TaskStore` and `SessionStore` let go of what is old, for every implementation.
import { Message, TaskState } from '@a2a-js/sdk';
import { systemClock } from '#runtime';
import type { SessionStore } from '../../../apps/agent-host/src/store/session-store.ts';
import type { NewTask, TaskKey, TaskStore } from '../../../apps/agent-host/src/store/task-store.ts';
import type { TaskEvent } from '../../../apps/agent-host/src/task/task-event.ts';

export interface LettingGoSubject {
  readonly store: TaskStore;
  readonly sessions: SessionStore;
  /** All sessions were used so much longer ago. */
  age(byMs: number): Promise<void>;
  close(): Promise<void>;
}

const hourMs = 3_600_000;
const now = () => new Date(systemClock.now()).toISOString();
const message = Message.fromJSON({ messageId: 'hello', role: 'ROLE_USER', parts: [] });
const submitted = (at = now()): TaskEvent => ({ type: 'submitted', at, message });
const status = (state: TaskState, at = now()): TaskEvent => ({ type: 'statusChanged', at, state });
const long = { owner: 'a', leaseMs: 600_000 };

export function describeLettingGo(place: string, open: () => Promise<LettingGoSubject>): void {
  describe(`kept in ${place}`, () => {
    let subject: LettingGoSubject;
    let count = 0;
    beforeAll(async () => (subject = await open()));
    afterAll(() => subject.close());
    beforeEach(() => (count += 1));

    describe('tasks that are let go of', () => describeTasks(() => ({ ...subject, application: `app-${count}` })));
    describe('sessions that are let go of', () =>
      describeSessions(() => ({ ...subject, application: `app-${count}` })));
  });
}

interface Given extends LettingGoSubject {
  readonly application: string;
}

function describeTasks(given: () => Given): void {
  let store: TaskStore;
  let key: TaskKey;
  beforeEach(() => {
    const { application } = given();
    ({ store } = given());
    key = { application, user: 'alice', taskId: 'task-1' };
  });

  const create = (over: Partial<NewTask> = {}) =>
    store.create({ key, contextId: 'context-1', events: [submitted()], ...over });

  const end = async (taskId: string, more: Partial<NewTask> = {}, at = now()) => {
    const ended = { ...key, taskId };
    await create({ key: ended, ...more });
    await store.append(ended, {}, [status(TaskState.TASK_STATE_COMPLETED, at)]);
    return ended;
  };

  it('are like ones that were never there, their keys too', async () => {
    const once = { key: 'order-1', requestHash: 'abc' };
    const ended = await end('task-1', { once, lease: long });
    expect(await store.letGo(key.application, 0, 10)).toBe(1);
    expect(await store.read(ended)).toBeUndefined();
    expect(await store.eventsAfter(ended, 0)).toEqual([]);
    expect(await store.append(ended, {}, [status(TaskState.TASK_STATE_WORKING)])).toEqual({ refused: 'unknown' });
    expect(await store.append(ended, { epoch: 1 }, [], 'release')).toEqual({ refused: 'unknown' });
    expect(await store.takeOver(ended, long)).toBeUndefined();
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(0);
    await store.askToCancel(ended);
    expect(await create({ key: { ...key, taskId: 'again' }, once })).toEqual({ epoch: 1 });
  });

  it('are none that are not over, or not for so long, or another application’s', async () => {
    await create({ events: [submitted('2020-01-01T00:00:00.000Z')] });
    await create({ key: { ...key, taskId: 'abandoned' }, lease: { ...long, leaseMs: 0 } });
    await end('recent');
    expect(await store.letGo('else', 0, 10)).toBe(0);
    expect(await store.letGo(key.application, 600_000, 10)).toBe(0);
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(3);
    expect(await store.letGo(key.application, 0, 10)).toBe(1);
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(2);
  });

  it('are so many at a time, the oldest first, by several processes at once different ones', async () => {
    for (const taskId of ['1', '2', '3', '4', '5']) await end(taskId, {}, `2020-01-0${taskId}T00:00:00.000Z`);
    expect(await store.letGo(key.application, 0, 1)).toBe(1);
    expect(await store.read({ ...key, taskId: '1' })).toBeUndefined();
    const both = await Promise.all([1, 2].map(() => store.letGo(key.application, 0, 2)));
    const left = (await store.list(key, { pageSize: 10 })).totalCount;
    expect(both[0]! + both[1]! + left).toBe(4);
    while ((await store.letGo(key.application, 0, 2)) > 0) continue;
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(0);
  });
}

function describeSessions(given: () => Given): void {
  let sessions: SessionStore;
  let subject: Given;
  const key = () => ({ application: subject.application, user: 'alice', contextId: 'context-1' });
  beforeEach(() => {
    subject = given();
    ({ sessions } = subject);
  });

  it('are let go of once nobody has used them for so long, so many at a time', async () => {
    for (const contextId of ['a', 'b', 'c']) await sessions.write({ ...key(), contextId }, 0, 1);
    const { application } = key();
    expect(await sessions.letGo('else', 0, 10)).toBe(0);
    expect(await sessions.letGo(application, 600_000, 10)).toBe(0);
    expect(await sessions.letGo(application, 0, 2)).toBe(2);
    expect(await sessions.read({ ...key(), contextId: 'a' })).toBeUndefined();
    expect(await sessions.read({ ...key(), contextId: 'c' })).toEqual({ value: 1, version: 1 });
    expect(await sessions.write({ ...key(), contextId: 'a' }, 1, 2)).toBe(false);
    expect(await sessions.write({ ...key(), contextId: 'a' }, 0, 2)).toBe(true);
  });

  it('are used by who reads them', async () => {
    for (const contextId of ['read', 'unread']) await sessions.write({ ...key(), contextId }, 0, 1);
    await subject.age(3 * hourMs);
    await sessions.read({ ...key(), contextId: 'read' });
    expect(await sessions.letGo(key().application, 2 * hourMs, 10)).toBe(1);
    expect(await sessions.read({ ...key(), contextId: 'read' })).toEqual({ value: 1, version: 1 });
  });
}
