// The contract of the port `TaskStore`, for every implementation. It must never ask for more than the port says.
import { type Artifact, Message, Task, TaskState } from '@a2a-js/sdk';
import { until } from '#testing';
import type { NewTask, TaskKey, TaskStore } from '../../../apps/agent-host/src/store/task-store.ts';
import type { TaskEvent } from '../../../apps/agent-host/src/task/task-event.ts';

const at = (second: number): string => new Date(Date.UTC(2027, 0, 1, 0, 0, second)).toISOString();
const message = (messageId: string) => Message.fromJSON({ messageId, role: 'ROLE_USER', parts: [{ text: messageId }] });
const submitted = (second = 0): TaskEvent => ({ type: 'submitted', at: at(second), message: message('hello') });
const status = (state: TaskState, second = 1): TaskEvent => ({ type: 'statusChanged', at: at(second), state });
const working = status(TaskState.TASK_STATE_WORKING);
const completed = status(TaskState.TASK_STATE_COMPLETED, 2);
const artifact = (text: string): Artifact =>
  Task.fromJSON({ artifacts: [{ artifactId: 'answer', parts: [{ text }] }] }).artifacts[0]!;
const chunk = (text: string): TaskEvent => ({
  ...{ type: 'artifactUpdated', at: at(1), artifact: artifact(text), append: true, lastChunk: false },
});

const long = { owner: 'a', leaseMs: 600_000 };
const over = { owner: 'a', leaseMs: 0 };
const never = new AbortController().signal;

/** What is as it was left: two processes on one store; the memory store has one. */
export interface TaskStoreSubject {
  readonly store: TaskStore;
  readonly other: TaskStore;
  close(): Promise<void>;
}

/** Describes the store that `open` gives, without reminders and with them. */
export function describeTaskStore(place: string, open: () => Promise<TaskStoreSubject>): void {
  describe.each([
    [place, false],
    [`${place}, with their reminders`, true],
  ])('tasks kept in %s', (_, areReminded) => describeTasks(open, areReminded));
}

function describeTasks(open: () => Promise<TaskStoreSubject>, areReminded: boolean): void {
  let subject: TaskStoreSubject;
  let store: TaskStore;
  let other: TaskStore;
  let count = 0;
  let key: TaskKey;
  beforeAll(async () => {
    subject = await open();
    ({ store, other } = subject);
    if (areReminded) [store, other].forEach((each) => each.keepReminders());
  });
  afterAll(() => subject.close());
  beforeEach(() => {
    count += 1;
    key = { application: `app-${count}`, user: 'alice', taskId: 'task-1' };
  });

  const create = (over: Partial<NewTask> = {}) =>
    store.create({ key, contextId: 'context-1', events: [submitted(), working], ...over });
  const textsOf = (task: Task | undefined) =>
    task?.artifacts.flatMap(({ parts }) => parts.map((part) => part.content?.value));

  it('are read by every process as all events so far have it', async () => {
    await create({ lease: long });
    await store.append(key, { epoch: 1 }, [chunk('a'), chunk('b')]);
    const stored = await other.read(key);
    expect(stored).toMatchObject({ version: 4, epoch: 1, run: 'held', isCancelAsked: false });
    expect([stored?.task.status?.state, textsOf(stored?.task)]).toEqual([TaskState.TASK_STATE_WORKING, ['a', 'b']]);
    expect(await other.eventsAfter(key, 2)).toMatchObject([{ type: 'artifactUpdated' }, { type: 'artifactUpdated' }]);
  });

  it('stay as they are however many pieces they came in', async () => {
    await create({ lease: long });
    for (let index = 0; index < 120; index += 1) await store.append(key, { epoch: 1 }, [chunk(String(index))]);
    expect(textsOf((await other.read(key))?.task)).toHaveLength(120);
    expect(await other.eventsAfter(key, 100)).toHaveLength(22);
    expect(await other.eventsAfter(key, 100, 3)).toEqual((await store.eventsAfter(key, 100)).slice(0, 3));
  });

  it('are nobody else’s: not of another user, nor of another application', async () => {
    await create();
    for (const strange of [
      { ...key, user: 'bob' },
      { ...key, application: 'else' },
      { ...key, taskId: 'task-2' },
    ]) {
      expect(await store.read(strange)).toBeUndefined();
      expect(await store.append(strange, {}, [chunk('a')])).toEqual({ refused: 'unknown' });
      expect(await store.eventsAfter(strange, 0)).toEqual([]);
      expect(await store.takeOver(strange, long)).toBeUndefined();
      expect((await store.list(strange, { pageSize: 10 })).tasks).toHaveLength(strange.taskId === 'task-2' ? 1 : 0);
    }
  });

  it('are told apart whatever they and their users are called', async () => {
    const names = ['a', 'a:', '{a}', '"a', 'a"]', 'ä', ''];
    for (const [at, user] of names.entries()) {
      const strange = { application: `${key.application} }{"${user}`, user, taskId: `task ${at}:"}` };
      await create({ key: strange, contextId: user });
      await other.append(strange, {}, [chunk(user)]);
    }
    for (const [at, user] of names.entries()) {
      const scope = { application: `${key.application} }{"${user}`, user };
      const { tasks, totalCount } = await store.list(scope, { pageSize: 10, contextId: user });
      expect([totalCount, tasks.map(({ id }) => id), textsOf(tasks[0])]).toEqual([1, [`task ${at}:"}`], [user]]);
    }
  });

  it('take nothing once they are over, nor what cannot happen', async () => {
    await create();
    const reply: TaskEvent = { type: 'messageReceived', at: at(1), message: message('more') };
    expect(await store.append(key, {}, [reply])).toEqual({ refused: 'not-waiting' });
    expect(await store.append(key, {}, [completed, chunk('late')])).toEqual({ refused: 'over' });
    expect(await store.append(key, {}, [completed])).toEqual({ version: 3 });
    expect(await other.append(key, {}, [chunk('late')])).toEqual({ refused: 'over' });
    expect(await store.renew(key.application, long, [key])).toEqual([]);
  });

  it('take nothing from who has not seen the last of it, of two who append at once one', async () => {
    await create();
    const both = await Promise.all([store, other].map((each) => each.append(key, { version: 2 }, [chunk('a')])));
    expect(both).toEqual(expect.arrayContaining([{ version: 3 }, { refused: 'overtaken' }]));
  });

  it('are run by one process at a time, the last that took it over', async () => {
    await create({ lease: over });
    const taken = await Promise.all([store.takeOver(key, long), other.takeOver(key, { ...long, owner: 'b' })]);
    expect(taken).toEqual(expect.arrayContaining([2, undefined]));
    expect(await store.append(key, { epoch: 1 }, [chunk('late')])).toEqual({ refused: 'fenced' });
    expect(await store.append(key, { epoch: 2 }, [chunk('a')])).toEqual({ version: 3 });
  });

  it('are abandoned where their run is not said again, and only then', async () => {
    await create({ lease: over });
    await create({ key: { ...key, taskId: 'waits' } });
    await create({ key: { ...key, taskId: 'runs' }, lease: { ...long, owner: 'b' } });
    const found = async () => (await other.abandoned(key.application, 10)).map(({ taskId }) => taskId);
    expect(await found()).toEqual(['task-1']);
    expect(await other.read(key)).toMatchObject({ run: 'abandoned' });
    expect(await store.renew(key.application, long, [key])).toEqual([{ key, epoch: 1, isCancelAsked: false }]);
    expect(await found()).toEqual([]);
    expect(await other.takeOver(key, long)).toBeUndefined();
  });

  it('are abandoned by an owner who runs others and does not name them', async () => {
    await create({ lease: over });
    const named = { ...key, taskId: 'named' };
    const strange = { ...key, taskId: 'strange' };
    await create({ key: named, lease: over });
    await create({ key: strange, lease: { ...over, owner: 'b' } });
    const held = await store.renew(key.application, long, [named, strange, { ...named, user: 'bob' }]);
    expect(held.map((run) => run.key)).toEqual([named]);
    expect(await store.renew(key.application, long, [])).toEqual([]);
    expect((await other.abandoned(key.application, 10)).map(({ taskId }) => taskId).sort()).toEqual([
      'strange',
      'task-1',
    ]);
  });

  it('have no run any more once they are over or released', async () => {
    await create({ lease: long });
    expect(await store.append(key, { epoch: 1 }, [chunk('a')], 'release')).toEqual({ version: 3 });
    expect(await other.read(key)).toMatchObject({ run: 'none' });
    expect(await other.takeOver(key, long)).toBe(2);
    await other.append(key, { epoch: 2 }, [completed]);
    expect(await store.read(key)).toMatchObject({ run: 'none' });
    expect(await store.takeOver(key, long)).toBeUndefined();
  });

  it('wake who follows them, in every process', async () => {
    await create({ lease: long });
    const watch = other.watch(key);
    let isWoken = false;
    const following = (async () => {
      while ((await other.eventsAfter(key, 2)).length === 0) await watch.next(never);
      isWoken = true;
    })();
    await store.append(key, { epoch: 1 }, [chunk('a')]);
    await until(() => isWoken, 'the follower');
    await following;
    watch.close();
  });

  it('can be asked to end, which whoever runs them finds out', async () => {
    await create({ lease: long });
    await other.askToCancel(key);
    expect(await store.read(key)).toMatchObject({ isCancelAsked: true, run: 'held' });
  });

  it('are made once for a caller who asks for one', async () => {
    const once = { key: 'order-1', requestHash: 'abc' };
    expect(await create({ once })).toEqual({ epoch: 1 });
    const again = { key: { ...key, taskId: 'task-2' }, once: { key: 'order-1', requestHash: 'def' } };
    expect(await create(again)).toEqual({ known: { taskId: 'task-1', requestHash: 'abc' } });
    expect(await create({ ...again, key: { ...again.key, user: 'bob' } })).toEqual({ epoch: 1 });
    expect(await store.read(again.key)).toBeUndefined();
  });

  it('are made once where two ask at once', async () => {
    const once = { key: 'order-2', requestHash: 'abc' };
    const both = await Promise.all(
      [store, other].map((each, at) =>
        each.create({
          ...{ key: { ...key, taskId: `task-${at}` }, contextId: 'context-1' },
          events: [submitted()],
          once,
        }),
      ),
    );
    expect(both.filter((created) => 'epoch' in created)).toHaveLength(1);
    expect((await store.list(key, { pageSize: 10 })).totalCount).toBe(1);
  });

  describe('listed', () => {
    const ids = async (query: object) => (await store.list(key, { pageSize: 10, ...query })).tasks.map(({ id }) => id);
    beforeEach(async () => {
      for (const [taskId, second, contextId] of [
        ...[['b', 5, 'c-1'] as const, ['a', 5, 'c-2'] as const, ['c', 7, 'c-1'] as const, ['d', 3, 'c-1'] as const],
      ]) {
        await create({ key: { ...key, taskId }, contextId, events: [submitted(second)] });
      }
      await store.append({ ...key, taskId: 'd' }, {}, [status(TaskState.TASK_STATE_WORKING, 9)]);
    });

    it('come in the order of their status, the latest first', async () => {
      expect(await ids({})).toEqual(['d', 'c', 'b', 'a']);
    });

    it('can be narrowed by context, state and instant, all at once', async () => {
      expect(await ids({ contextId: 'c-1' })).toEqual(['d', 'c', 'b']);
      expect(await ids({ state: TaskState.TASK_STATE_SUBMITTED })).toEqual(['c', 'b', 'a']);
      expect(await ids({ statusFromMs: Date.parse(at(7)) })).toEqual(['d', 'c']);
      expect(
        await ids({ contextId: 'c-1', state: TaskState.TASK_STATE_SUBMITTED, statusFromMs: Date.parse(at(6)) }),
      ).toEqual(['c']);
    });

    it('come in pages that are short where the tasks are large', async () => {
      const large: TaskEvent = { ...submitted(30), message: message('x'.repeat(3_000_000)) } as TaskEvent;
      for (const taskId of ['x', 'y', 'z']) await create({ key: { ...key, taskId }, events: [large] });
      const first = await store.list(key, { pageSize: 10 });
      expect(first.tasks.map(({ id }) => id)).toEqual(['z', 'y']);
      const rest = await store.list(key, { pageSize: 10, after: first.next! });
      expect(rest.tasks.map(({ id }) => id)).toEqual(['x', 'd', 'c', 'b', 'a']);
      expect([first.totalCount, rest.next]).toEqual([7, undefined]);
    });

    it('come in pages, none of them twice, whatever is made in between', async () => {
      const first = await store.list(key, { pageSize: 3 });
      expect(first).toMatchObject({ totalCount: 4, next: { taskId: 'b', statusMs: Date.parse(at(5)) } });
      await create({ key: { ...key, taskId: 'e' }, events: [submitted(20)] });
      const rest = await store.list(key, { pageSize: 3, after: first.next! });
      expect(rest.tasks.map(({ id }) => id)).toEqual(['a']);
      expect(rest.next).toBeUndefined();
    });
  });
}
