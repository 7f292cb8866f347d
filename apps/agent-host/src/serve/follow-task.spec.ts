// Following a task that is no more.
import { Message, Task } from '@a2a-js/sdk';
import { followTask } from './follow-task.ts';

const key = { application: 'app', user: 'alice', taskId: 'task-1' };
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER' });

it('ends where the task was let go of while its follower did not read', async () => {
  let isThere = true;
  let looksCount = 0;
  const tasks: Parameters<typeof followTask>[0] = {
    eventsAfter: async (_, version) =>
      isThere && version === 1 ? [{ type: 'progressReported', at: '2027-01-01T00:00:00Z', message, metadata: {} }] : [],
    read: async () =>
      isThere ? { task: Task.fromJSON({}), version: 2, epoch: 1, run: 'none', isCancelAsked: false } : undefined,
    watch: () => ({ next: async () => void (looksCount += 1), close: () => undefined }),
  };
  const following = { task: Task.fromJSON({ id: 'task-1' }), version: 1, reminders: 'none' as const };
  const told = followTask(tasks, key, following, new AbortController().signal);
  expect((await told.next()).value).toMatchObject({ payload: { $case: 'statusUpdate' } });
  isThere = false;
  expect((await told.next()).done).toBe(true);
  expect(looksCount).toBeGreaterThan(1);
});
