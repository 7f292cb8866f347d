// One input being decided: each event is evolved before the next step is decided.
import type { Event } from './event.ts';
import { evolveAt } from './evolve.ts';
import { formatInstant } from './instant.ts';
import type { State } from './state/state.ts';
import { StateFaultError } from './state-fault-error.ts';

export class Turn {
  events: Event[] = [];
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
    try {
      evolveAt(this.state, event, this.now);
    } catch (cause) {
      throw new StateFaultError(`${event.type} cannot be applied`, { cause });
    }
    this.events.push(event);
  }

  /** What was emitted since it was last taken. */
  take(): Event[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}
