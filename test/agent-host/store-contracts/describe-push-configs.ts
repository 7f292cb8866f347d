// The contract of the port `PushConfigs`, for every implementation, beside the tasks that the configs are for.
import { Message, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import type { PushConfigs } from '../../../apps/agent-host/src/push/push-configs.ts';
import type { TaskKey, TaskStore } from '../../../apps/agent-host/src/store/task-store.ts';
import type { TaskEvent } from '../../../apps/agent-host/src/task/task-event.ts';

export interface PushConfigsSubject {
  readonly tasks: TaskStore;
  readonly push: PushConfigs;
  close(): Promise<void>;
}

const at = '2026-01-01T00:00:00.000Z';
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [] });
const submitted: TaskEvent = { type: 'submitted', at, message };
const progress: TaskEvent = { type: 'progressReported', at, metadata: {} };
const completed: TaskEvent = { type: 'statusChanged', at, state: TaskState.TASK_STATE_COMPLETED };
const longMs = 600_000;
const config = (id: string) => TaskPushNotificationConfig.fromJSON({ id, url: `https://a.example/${id}`, token: 't' });

export function describePushConfigs(place: string, open: () => Promise<PushConfigsSubject>): void {
  describe(`push configs kept in ${place}`, () => describeThem(open));
}

function describeThem(open: () => Promise<PushConfigsSubject>): void {
  let subject: PushConfigsSubject;
  let count = 0;
  let application: string;
  let key: TaskKey;
  beforeAll(async () => void (subject = await open()));
  afterAll(() => subject.close());
  beforeEach(async () => {
    application = `app-${(count += 1)}`;
    key = await create('1', 'alice');
  });

  async function create(taskId: string, user: string): Promise<TaskKey> {
    const made = { application, user, taskId };
    await subject.tasks.create({ key: made, contextId: 'c', events: [submitted] });
    return made;
  }
  const set = (id: string, told = 0, of = key) => subject.push.set(of, config(id), told, 3);
  const claim = (busy: readonly string[] = [], claimMs = longMs) => subject.push.claim(application, claimMs, busy);
  const append = (...events: TaskEvent[]) => subject.tasks.append(key, {}, events);

  it('are those of their task, by their ids, as their caller gave them', async () => {
    for (const id of ['b', 'a']) await set(id);
    expect(await subject.push.list(key)).toEqual([config('a'), config('b')]);
    expect(await subject.push.list({ ...key, user: 'bob' })).toEqual([]);
    await subject.push.delete(key, 'a');
    expect(await subject.push.list(key)).toEqual([config('b')]);
    expect(await claim()).toMatchObject({ configId: 'b' });
    expect(await claim()).toBeUndefined();
  });

  it('are as many as may be, of however many at once, and another of one’s id takes its place', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => set(id)));
    expect(made.filter(Boolean)).toHaveLength(3);
    const [first] = await subject.push.list(key);
    expect(await set(first!.id)).toBe(true);
    expect(await subject.push.list(key)).toHaveLength(3);
  });

  it('are claimed by one, once there is something to tell', async () => {
    await set('a', 1);
    expect(await claim()).toBeUndefined();
    await append(progress);
    const due = await claim();
    expect(due).toMatchObject({ key, contextId: 'c', configId: 'a', toldVersion: 1, failuresCount: 0 });
    expect(subject.push.open(due!)).toEqual(config('a'));
    expect(await claim()).toBeUndefined();
  });

  it('are claimed again with what has come while it was told, and not before', async () => {
    await set('a');
    const due = (await claim())!;
    await append(progress);
    await subject.push.told(due, 1, longMs, false);
    expect(await claim()).toBeUndefined();
    await subject.push.told(due, 1, 0, false);
    const again = (await claim())!;
    expect(again.toldVersion).toBe(1);
    await subject.push.told(again, 2, 0, false);
    expect(await claim()).toBeUndefined();
    await append(completed);
    const last = (await claim())!;
    await subject.push.told(last, 3, 0, true);
    expect(await claim()).toBeUndefined();
  });

  it('are claimed by another where whoever claimed them says nothing', async () => {
    await set('a');
    expect(await claim([], 0)).toBeDefined();
    expect(await claim()).toMatchObject({ configId: 'a', toldVersion: 0 });
  });

  it('wait after a failure, whatever happens, and for good where they are given up', async () => {
    await set('a');
    await subject.push.failed((await claim())!, longMs);
    await append(progress);
    expect(await claim()).toBeUndefined();
    await set('b');
    const due = (await claim())!;
    await subject.push.failed(due, 0);
    expect(await claim()).toMatchObject({ configId: 'b', failuresCount: 1 });
    await subject.push.failed(due, undefined);
    await append(progress);
    expect(await claim()).toBeUndefined();
  });

  it('are not claimed of users who are busy, nor of another application', async () => {
    await set('a');
    await set('b', 0, await create('2', 'bob'));
    expect(await subject.push.claim('else', longMs, [])).toBeUndefined();
    expect(await claim(['alice'])).toMatchObject({ configId: 'b' });
    expect(await claim(['alice', 'bob'])).toBeUndefined();
    expect(await claim()).toMatchObject({ configId: 'a' });
  });

  it('are none of a task that is not there', async () => {
    expect(await set('a', 0, { ...key, taskId: 'else' })).toBe(false);
    expect(await subject.push.list({ ...key, taskId: 'else' })).toEqual([]);
  });

  it('keep their task, and no other, from being let go of until they are told, and then go with it', async () => {
    await set('a');
    await append(completed);
    const other = await create('2', 'alice');
    await subject.tasks.append(other, {}, [completed]);
    expect(await subject.tasks.letGo(application, 0, 1)).toBe(1);
    expect(await subject.tasks.letGo(application, 0, 1)).toBe(0);
    await subject.push.told((await claim())!, 2, 0, true);
    expect(await subject.tasks.letGo(application, 0, 1)).toBe(1);
    expect(await subject.push.list(key)).toEqual([]);
  });

  it('keep no task where they are given up, or have nothing to be told', async () => {
    await set('a');
    await subject.push.failed((await claim())!, undefined);
    await append(completed);
    await set('b', 2);
    expect(await subject.tasks.letGo(application, 0, 10)).toBe(1);
  });
}
