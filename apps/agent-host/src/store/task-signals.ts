// Who follows which task in this process, and how they are woken. Wake-ups are hints: a follower looks by itself, too.
import { type Clock, WakeUp } from '#runtime';
import type { TaskKey, TaskWatch } from './task-store.ts';

/** Where a hint was lost, this late is a follower told. */
const mostWaitMs = 1_000;

export class TaskSignals {
  private readonly followers = new Map<string, Set<WakeUp>>();

  constructor(private readonly clock: Clock) {}

  watch(key: TaskKey): TaskWatch {
    const name = nameOf(key);
    const wakeUp = new WakeUp(this.clock);
    const others = this.followers.get(name) ?? new Set();
    this.followers.set(name, others.add(wakeUp));
    return {
      next: (signal) => wakeUp.sleep(mostWaitMs, signal),
      close: () => {
        others.delete(wakeUp);
        if (others.size === 0 && this.followers.get(name) === others) this.followers.delete(name);
      },
    };
  }

  tell(key: TaskKey): void {
    this.tellName(nameOf(key));
  }

  tellName(name: string): void {
    for (const wakeUp of this.followers.get(name) ?? []) wakeUp.wake();
  }
}

/** One text a task: what processes tell each other. */
export function nameOf({ application, user, taskId }: TaskKey): string {
  return JSON.stringify([application, user, taskId]);
}
