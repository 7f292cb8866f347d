// The fold: what has been decided changes the state. Total; it refuses nothing and decides nothing.
import type { Event, ReminderAccepted, TaskEnded, TurnBegan } from './event.ts';
import type { ReminderName } from './reminder.ts';
import { goneCount, initialState, isSame, isSession, type OpenTask, type State } from './state.ts';
import { unreachable } from './unreachable.ts';

/** The state after one event; the one given is left as it is. */
export function evolve(state: State, event: Event): State {
  switch (event.type) {
    case 'taskOpened':
      return { ...state, tasks: [...state.tasks, { taskId: event.taskId, turns: 0 }] };
    case 'turnBegan':
      return withTask(state, event.taskId, (task) => began(task, event));
    case 'remindersTold':
      return withTask(state, event.taskId, (task) => told(task, event.reminders));
    case 'turnEnded':
      return withTask(state, event.taskId, ({ taskId, turns }) => ({ taskId, turns }));
    case 'taskEnded':
      return ended(state, event);
    case 'reminderAccepted':
      return accepted(state, event);
    case 'reminderCounted':
      return {
        ...state,
        live: state.live.map((live) => (isSame(live, event) ? { ...live, turnsLeft: event.turnsLeft } : live)),
      };
    case 'reminderDisplaced':
    case 'reminderExpired':
    case 'reminderCarried':
      return gone(state, event);
    default:
      return unreachable(event);
  }
}

/** The state after all of them. */
export function fold(state: State, events: Iterable<Event>): State {
  let folded = state;
  for (const event of events) folded = evolve(folded, event);
  return folded;
}

function withTask(state: State, taskId: string, change: (task: OpenTask) => OpenTask): State {
  return { ...state, tasks: state.tasks.map((task) => (task.taskId === taskId ? change(task) : task)) };
}

function began({ taskId }: OpenTask, { turn, turnId }: TurnBegan): OpenTask {
  return { taskId, turns: turn, running: { turnId, told: [] } };
}

function told(task: OpenTask, reminders: readonly ReminderName[]): OpenTask {
  const { running } = task;
  return running === undefined ? task : { ...task, running: { ...running, told: [...running.told, ...reminders] } };
}

function accepted(state: State, event: ReminderAccepted): State {
  const { taskId, reminder, at, contentHash, dedupedCount, metadata } = event;
  const live = {
    taskId,
    reminderId: reminder.id,
    reminder,
    acceptedAt: at,
    contentHash,
    dedupedCount,
    ...(reminder.ttlTurns !== undefined && { turnsLeft: reminder.ttlTurns }),
    ...(metadata !== undefined && { metadata }),
  };
  return { ...state, live: [...state.live, live] };
}

function gone(state: State, name: ReminderName): State {
  const left = state.live.find((live) => isSame(live, name));
  if (left === undefined) return state;
  const { taskId, reminderId, acceptedAt, contentHash, dedupedCount } = left;
  const remembered = { taskId, reminderId, acceptedAt, contentHash, dedupedCount, isSession: isSession(left) };
  return {
    ...state,
    live: state.live.filter((live) => live !== left),
    gone: [...state.gone, remembered].slice(-goneCount),
  };
}

/** The ids of the task's own reminders are forgotten with it, and all of them with the last task of the context. */
function ended(state: State, { taskId }: TaskEnded): State {
  const tasks = state.tasks.filter((task) => task.taskId !== taskId);
  if (tasks.length === 0) return initialState(state.contextId);
  return { ...state, tasks, gone: state.gone.filter((one) => one.isSession || one.taskId !== taskId) };
}
