// One decision in the making: what is emitted is seen by what is decided next.
import type { Event } from './event.ts';
import { evolve } from './evolve.ts';
import type { State } from './state.ts';

export class Deciding {
  state: State;
  readonly events: Event[] = [];

  constructor(state: State) {
    this.state = state;
  }

  emit(event: Event): void {
    this.events.push(event);
    this.state = evolve(this.state, event);
  }
}
