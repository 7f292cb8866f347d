// The life cycle's only sequence: one input of a context in, what is decided out. No clock, no randomness, no I/O.
import { defaultBounds, type ReminderBounds } from './bounds.ts';
import { Deciding } from './deciding.ts';
import { compact, endTask, handOn } from './endings.ts';
import type { Event } from './event.ts';
import { inject, type InjectAnswer } from './inject.ts';
import type { Input, ReminderInjected } from './input.ts';
import type { Refusal } from './refusal.ts';
import type { State } from './state.ts';
import { beginTurn, endTurn, openTask, passStepBoundary } from './turns.ts';
import { unreachable } from './unreachable.ts';

/** Nothing is to be recorded of it; the answer is for whoever asked. */
export interface Refused {
  readonly refusal: Refusal;
}

export interface Decided {
  /** To be recorded, all or none; empty where nothing changes. */
  readonly events: readonly Event[];
}

export interface Injected extends Decided {
  readonly answer: InjectAnswer;
}

/**
 * Decides one input. The state is left as it is: `fold` the events over it. Only `reminderInjected` is ever refused;
 * everything else that makes no sense (a turn's end where none runs, a task told twice) decides nothing.
 */
export function decide(state: State, input: ReminderInjected, bounds?: ReminderBounds): Injected | Refused;
export function decide(state: State, input: Exclude<Input, ReminderInjected>, bounds?: ReminderBounds): Decided;
export function decide(state: State, input: Input, bounds?: ReminderBounds): Decided | Injected | Refused;
export function decide(
  state: State,
  input: Input,
  bounds: ReminderBounds = defaultBounds,
): Decided | Injected | Refused {
  const deciding = new Deciding(state);
  if (input.type === 'reminderInjected') {
    const injected = inject(deciding, input, bounds);
    return 'refusal' in injected ? injected : { events: deciding.events, ...injected };
  }
  apply(deciding, input);
  return { events: deciding.events };
}

function apply(deciding: Deciding, input: Exclude<Input, ReminderInjected>): void {
  switch (input.type) {
    case 'taskOpened':
      return openTask(deciding, input.at, input.taskId);
    case 'turnBegan':
      return beginTurn(deciding, input);
    case 'stepBoundaryReached':
      return passStepBoundary(deciding, input.at, input.taskId);
    case 'turnEnded':
      return endTurn(deciding, input.at, input.taskId);
    case 'taskEnded':
      return endTask(deciding, input.at, input.taskId);
    case 'remindersCarried':
      return handOn(deciding, input);
    case 'contextCompacted':
      return compact(deciding, input.at);
    default:
      return unreachable(input);
  }
}
