// What a process that keeps everything in memory lets go of.
import { Message, TaskState } from '@a2a-js/sdk';
import { systemClock } from '#runtime';
import type { TaskEvent } from '../task/task-event.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { MemoryTaskStore } from './memory-task-store.ts';

const at = '2027-01-01T00:00:00.000Z';
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [] });
const submitted: TaskEvent = { type: 'submitted', at, message };
const completed: TaskEvent = { type: 'statusChanged', at, state: TaskState.TASK_STATE_COMPLETED };
const scope = { application: 'app', user: 'alice' };

it('of tasks that are over the oldest go, with their keys, and none that is not over', async () => {
  const store = new MemoryTaskStore(systemClock, 2);
  const create = (taskId: string, onceKey: string) =>
    store.create({
      ...{ key: { ...scope, taskId }, contextId: 'c', events: [submitted] },
      once: { key: onceKey, requestHash: 'h' },
    });
  await create('open', 'k-open');
  for (const id of ['1', '2', '3']) {
    await create(id, `k-${id}`);
    await store.append({ ...scope, taskId: id }, {}, [completed]);
  }
  const { tasks } = await store.list(scope, { pageSize: 10 });
  expect(tasks.map(({ id }) => id)).toEqual(['open', '3', '2']);
  expect(await create('again', 'k-1')).toEqual({ epoch: 1 });
  expect(await create('again', 'k-2')).toMatchObject({ known: { taskId: '2' } });
});

it('a task that is over counts once, however often its run says that it has let go of it', async () => {
  const store = new MemoryTaskStore(systemClock, 2);
  for (const taskId of ['1', '2']) {
    await store.create({ key: { ...scope, taskId }, contextId: 'c', events: [submitted] });
    await store.append({ ...scope, taskId }, {}, [completed]);
    await store.append({ ...scope, taskId }, {}, [], 'release');
  }
  expect((await store.list(scope, { pageSize: 10 })).totalCount).toBe(2);
});

it('of sessions those go that were used longest ago', async () => {
  const sessions = new MemorySessionStore(2);
  const key = (contextId: string) => ({ ...scope, contextId });
  await sessions.write(key('a'), 0, 1);
  await sessions.write(key('b'), 0, 1);
  await sessions.write(key('a'), 1, 2);
  await sessions.write(key('c'), 0, 1);
  expect(await sessions.read(key('b'))).toBeUndefined();
  expect((await sessions.read(key('a')))?.value).toBe(2);
});
