// What is forgotten, and when (semantics, *Memory*): in the log's time, strictly after each period.
import { addDuration, type Duration } from './duration.ts';
import type { State } from './state/state.ts';
import { isTerminal, type Task } from './state/task.ts';
import { dropUnneeded } from './names.ts';

/** Forgets what is over by the state's own instant. Cheap where nothing is. */
export function forget(state: State): void {
  if (state.forgottenUpTo === state.now && state.overstayed.size === 0) return;
  state.forgottenUpTo = state.now;
  const isClosedOver = isOver(state, state.closedMemory);
  const isWindowOver = isOver(state, state.earlyFactWindow);
  const isFactOver = isOver(state, state.factMemory);
  state.closed.forget(isClosedOver);
  state.matched.forget(isClosedOver, Infinity);
  state.unmatched.forget((receivedAt) => isFactOver(receivedAt) && isWindowOver(receivedAt), Infinity);
  state.recent.forget(isWindowOver);
  forgetNamings(state, isClosedOver);
  forgetTasks(state, isClosedOver);
}

/**
 * Applies the bounds by number, the oldest forgotten first, once an input's last event is evolved: facts that
 * satisfied nothing, refusals of an agent. `decide` does so itself; who folds a ledger does so after each input.
 */
export function settle(state: State): void {
  state.unmatched.forget(() => false, state.settings.factMemoryMax);
  for (const agent of state.refused) {
    const most = state.settingOf(agent, 'refusalMemory');
    for (const refusal of agent.refusals) {
      if (agent.refusals.size <= most) break;
      agent.refusals.delete(refusal);
    }
  }
  state.refused.clear();
}

function isOver(state: State, period: Duration): (sinceMs: number) => boolean {
  return (since) => addDuration(since, period) < state.now;
}

function forgetNamings(state: State, isClosedOver: (atMs: number) => boolean): void {
  for (
    let naming = state.namings.first;
    naming !== undefined && isClosedOver(naming.at);
    naming = state.namings.first
  ) {
    state.namings.shift();
    const { named } = naming;
    const known = named.namers?.filter((namer) => !isClosedOver(namer.closedAt)) ?? [];
    named.namers = known.length === 0 ? null : known;
    dropUnneeded(named);
  }
}

/** A task that has ended goes; one that has not stays while something open needs it. */
function forgetTasks(state: State, isClosedOver: (atMs: number) => boolean): void {
  for (const task of state.overstayed) if (task.isOverstayed && !task.isNeeded) forgetTask(task);
  state.overstayed.clear();
  const { taskStatuses } = state;
  for (let status = taskStatuses.first; status !== undefined && isClosedOver(status.at); status = taskStatuses.first) {
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
