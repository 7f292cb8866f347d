// One input taken whole: decided, folded, and what follows from it gathered, for whoever runs tasks.
import type { ReminderBounds } from './bounds.ts';
import { type Decided, decide, type Injected, type Refused } from './decide.ts';
import { fold } from './evolve.ts';
import type { Input, ReminderInjected } from './input.ts';
import type { State } from './state.ts';
import { type Told, toldBy } from './told.ts';
import { type ReminderUpdate, updatesOf } from './update.ts';

interface Followed {
  /** After the events. */
  readonly state: State;
  /** What running turns are told by it. */
  readonly told: readonly Told[];
  /** What goes to the subscribers of tasks, in order. */
  readonly updates: readonly ReminderUpdate[];
}

export type Stepped = Decided & Followed;
export type SteppedInject = Injected & Followed;

/** As `decide`, with the state after it and what is to be told. */
export function step(state: State, input: ReminderInjected, bounds?: ReminderBounds): SteppedInject | Refused;
export function step(state: State, input: Exclude<Input, ReminderInjected>, bounds?: ReminderBounds): Stepped;
export function step(state: State, input: Input, bounds?: ReminderBounds): Stepped | SteppedInject | Refused;
export function step(state: State, input: Input, bounds?: ReminderBounds): Stepped | SteppedInject | Refused {
  const decided = decide(state, input, bounds);
  if ('refusal' in decided) return decided;
  const after = fold(state, decided.events);
  return { ...decided, state: after, told: toldBy(after, decided.events), updates: updatesOf(state, decided.events) };
}
