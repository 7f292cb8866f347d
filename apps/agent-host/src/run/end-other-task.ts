// A turn ends another task of its user's. It must never touch a task that is over, nor another user's.
import type { TaskEnded } from '#agent-handler';
import type { TaskKey, TaskStore } from '../store/task-store.ts';
import { isKeptId } from '../task/kept-id.ts';
import type { TaskEvent } from '../task/task-event.ts';
import type { WorkQueue } from '../work/work-queue.ts';

/** `end` is its last status. */
export type EndOther = (key: TaskKey, end: TaskEvent) => Promise<TaskEnded>;

export interface EndOtherParts {
  readonly tasks: Pick<TaskStore, 'append'>;
  readonly work?: Pick<WorkQueue, 'void'>;
  /** Tells the run of this process, where it is one; another process finds out as it says its lease again. */
  readonly onEnded: (key: TaskKey) => void;
}

export function endsOthers({ tasks, work, onEnded }: EndOtherParts): EndOther {
  return async (key, end) => {
    // A handler may have it from a caller.
    if (!isKeptId(key.taskId)) return 'unknown';
    // Whoever runs it: what is said after the end is refused.
    const answer = await tasks.append(key, {}, [end]);
    if ('refused' in answer) return answer.refused === 'unknown' ? 'unknown' : 'over';
    onEnded(key);
    await work?.void(key);
    return 'ended';
  };
}
