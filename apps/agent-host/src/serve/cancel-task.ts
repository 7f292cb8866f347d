// CancelTask: success only once the run and what it waits for are really over; then, and not before, CANCELED is written.
import { type Task, TaskState } from '@a2a-js/sdk';
import type { Clock, NewId } from '#runtime';
import type { Runs } from '../run/runs.ts';
import { endTask } from '../store/end-task.ts';
import type { Lease, TaskKey, TaskStore } from '../store/task-store.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import type { WorkQueue } from '../work/work-queue.ts';
import { refuse } from './operation-error-map.ts';

export interface CancelParts {
  readonly tasks: TaskStore;
  readonly runs: Runs;
  readonly work?: WorkQueue;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly lease: Lease;
  /** How long a handler may take to end before the caller is told that it has not. */
  readonly patienceMs: number;
}

/** The canceled task. Throws A2A's errors where it is unknown, was over before, or does not end. */
export async function cancelTask(parts: CancelParts, key: TaskKey): Promise<Task> {
  const { tasks, runs, clock, patienceMs } = parts;
  const found = await tasks.read(key);
  if (found === undefined) return refuse({ code: 'unknown-task', taskId: key.taskId });
  if (isOver(stateOf(found.task))) return refuse({ code: 'not-cancelable' });
  const watch = tasks.watch(key);
  const late = new AbortController();
  const waiting = clock.sleep(patienceMs, late.signal).then(() => late.abort());
  try {
    await tasks.askToCancel(key);
    runs.find(key)?.abort('canceled');
    while (!late.signal.aborted) {
      const ended = await endedTask(parts, key);
      if (ended !== undefined) return ended;
      await watch.next(late.signal);
    }
    return refuse({ code: 'still-running' });
  } finally {
    late.abort();
    await waiting;
    watch.close();
  }
}

/** The task where it is canceled by now; undefined while something of it still runs. */
async function endedTask(parts: CancelParts, key: TaskKey): Promise<Task | undefined> {
  const { tasks, work, lease } = parts;
  const stored = await tasks.read(key);
  if (stored === undefined) return refuse({ code: 'unknown-task', taskId: key.taskId });
  const state = stateOf(stored.task);
  if (state === TaskState.TASK_STATE_CANCELED) return stored.task;
  if (isOver(state)) return refuse({ code: 'not-cancelable' });
  if (stored.run === 'held') return undefined;
  // First the work, its payload included: whoever is done with it would go on with the task.
  if (work !== undefined && (await work.void(key)) === 'begun') return undefined;
  const epoch = await tasks.takeOver(key, lease);
  if (epoch === undefined) return undefined;
  await endTask(parts, key, { epoch, state: TaskState.TASK_STATE_CANCELED });
  return (await tasks.read(key))?.task;
}
