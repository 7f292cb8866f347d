// Lets go of tasks in Redis that have been over for long, with all that is kept of them, one step a task. It must never let
// go of what somebody is still to be told of.
import type { HostRedis } from '../redis/host-redis.ts';
import { keyOfMember, overKey, pushKeys, taskKey } from '../redis/redis-keys.ts';
import { elapsed } from '../redis/redis-leases.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import { RedisReminderJournal } from '../reminders/redis-reminder-journal.ts';
import { type ContextKey, contextNameOf } from '../reminders/task-reminders.ts';
import { stateIn, writeGone } from './redis-task-row.ts';
import type { TaskKey } from './task-store.ts';

export async function letGoOfTasks(
  redis: HostRedis,
  application: string,
  overForMs: number,
  mostCount: number,
): Promise<number> {
  let gone = 0;
  let stayed = 0;
  while (gone < mostCount) {
    const members = await elapsed(redis, overKey(application), overForMs, mostCount - gone, stayed);
    if (members.length === 0) break;
    for (const member of members) {
      const isGone = await redis.inStep((step) => letGo(redis, step, keyOfMember(application, member)));
      if (isGone) gone += 1;
      else stayed += 1;
    }
  }
  return gone;
}

async function letGo(redis: HostRedis, step: RedisStep, key: TaskKey): Promise<boolean> {
  const fields = ['context', 'state', 'version', 'once', 'pushes'] as const;
  const { context, state, version, once } = await step.read(taskKey(key), fields);
  if (context === null) return false;
  const { config, ofTask, openOfTask } = pushKeys(key.application);
  const configOf = (member: string): string => config(key, (JSON.parse(member) as [string, string])[1]);
  for (const member of await redis.ask((client) => client.smembers(openOfTask(key)))) {
    const { told } = await step.read(configOf(member), ['told']);
    if (Number(told) < Number(version)) return false;
  }
  const members = await redis.ask((client) => client.smembers(ofTask(key)));
  for (const gone of [...members.map(configOf), ofTask(key), openOfTask(key)]) step.write('DEL', gone);
  writeGone(step, key, { contextId: context, state: stateIn(state), once });
  await forgetContext(step, { application: key.application, user: key.user, contextId: context }, key.taskId);
  return true;
}

/** What a process has left behind that did not know of reminders, once none of its tasks is there any more. */
async function forgetContext(step: RedisStep, context: ContextKey, goneId: string): Promise<void> {
  const journal = new RedisReminderJournal(context.application);
  const { tasks } = await journal.load(step, contextNameOf(context));
  if (!tasks.some(({ taskId }) => taskId === goneId)) return;
  for (const { taskId } of tasks) {
    const key = { application: context.application, user: context.user, taskId };
    if (taskId !== goneId && (await step.look(taskKey(key), ['version'])).version !== null) return;
  }
  journal.forget(step, contextNameOf(context));
}
