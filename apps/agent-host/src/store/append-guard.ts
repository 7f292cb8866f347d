// What every store asks before it appends: is the run the task's last, and has nothing happened since?
import type { AppendGuard } from './task-store.ts';

/** Where the task stands. */
export type Standing = Required<AppendGuard>;

export function guardRefusal(now: Standing, { epoch, version }: AppendGuard): 'fenced' | 'overtaken' | undefined {
  if (epoch !== undefined && epoch !== now.epoch) return 'fenced';
  return version !== undefined && version !== now.version ? 'overtaken' : undefined;
}
