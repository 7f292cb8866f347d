// When a store that keeps snapshots writes another: with each status, and before a chatty run is far from its last.
import type { TaskEvent } from '../task/task-event.ts';
import { changesStatus } from '../task/task-life.ts';

const mostEventsSince = 50;

/** `version`: with the events. */
export function isSnapshotDue(events: readonly TaskEvent[], version: number, snapshotVersion: number): boolean {
  return events.some(changesStatus) || version - snapshotVersion >= mostEventsSince;
}
