// One input being decided: each event is evolved before the next step is decided.
import type { Event } from './event.ts';
import { evolveAt } from './evolve.ts';
import { formatInstant } from './instant.ts';
import type { State } from './state/state.ts';

export class Turn {
  readonly events: Event[] = [];
  /** The input's instant, in epoch milliseconds and as text. */
  readonly now: number;
  readonly at: string;

  constructor(
    readonly state: State,
    now: number,
  ) {
    this.now = now;
    this.at = formatInstant(now);
  }

  emit(event: Event): void {
    evolveAt(this.state, event, this.now);
    this.events.push(event);
  }
}
