// What is forgotten, and when (semantics, *Memory*): in the log's time, strictly after each period.
import { isOver } from './duration.ts';
import type { State } from './state/state.ts';
import { isTerminal, type Task } from './state/task.ts';
import { dropUnneeded } from './names.ts';

/** Forgets what is over by the state's own instant. Cheap where nothing is. */
export function forget(state: State): void {
  if (state.forgottenUpTo === state.now && state.overstayed.size === 0) return;
  const { now, closed, matched, unmatched, recent, closedMemory, earlyFactWindow, factMemory } = state;
  state.forgottenUpTo = now;
  while (isOver(closed.oldestAt, closedMemory, now)) closed.dropOldest();
  while (isOver(matched.oldestAt, closedMemory, now)) matched.dropOldest();
  while (isOver(unmatched.oldestAt, factMemory, now) && isOver(unmatched.oldestAt, earlyFactWindow, now)) {
    unmatched.dropOldest();
  }
  while (isOver(recent.oldestAt, earlyFactWindow, now)) recent.dropOldest();
  forgetNamings(state);
  forgetTasks(state);
}

/**
 * Applies the bounds by number, the oldest forgotten first, once an input's last event is evolved: facts that
 * satisfied nothing, refusals of an agent. `decide` does so itself; who folds a ledger does so after each input.
 */
export function settle(state: State): void {
  while (state.unmatched.count > state.settings.factMemoryMax) state.unmatched.dropOldest();
  for (const agent of state.refused) {
    const most = state.settingOf(agent, 'refusalMemory');
    for (const refusal of agent.refusals) {
      if (agent.refusals.size <= most) break;
      agent.refusals.delete(refusal);
    }
  }
  state.refused.clear();
}

function forgetNamings(state: State): void {
  const { namings, closedMemory, now } = state;
  for (let naming = namings.first; naming !== undefined; naming = namings.first) {
    if (!isOver(naming.at, closedMemory, now)) return;
    namings.shift();
    const { named } = naming;
    const known = named.namers?.filter((namer) => !isOver(namer.closedAt, closedMemory, now)) ?? [];
    named.namers = known.length === 0 ? null : known;
    dropUnneeded(named);
  }
}

/** A task that has ended goes; one that has not stays while something open needs it. */
function forgetTasks(state: State): void {
  const { overstayed, taskStatuses, closedMemory, now } = state;
  if (overstayed.size > 0) {
    for (const task of overstayed) if (task.isOverstayed && !task.isNeeded) forgetTask(task);
    overstayed.clear();
  }
  for (let status = taskStatuses.first; status !== undefined; status = taskStatuses.first) {
    if (!isOver(status.at, closedMemory, now)) return;
    taskStatuses.shift();
    const { task } = status;
    if (task.appliedAt !== status.at) continue;
    if (isTerminal(task.state) || !task.isNeeded) forgetTask(task);
    else task.isOverstayed = true;
  }
}

function forgetTask(task: Task): void {
  task.state = null;
  task.statusAt = task.appliedAt = -Infinity;
  task.isOverstayed = false;
  dropUnneededTask(task);
}

/** A task of which nothing is remembered and that nothing needs is dropped. */
export function dropUnneededTask(task: Task): void {
  if (task.state === null && !task.isNeeded) task.agent.tasks.delete(task.id);
}
