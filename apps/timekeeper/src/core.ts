// What the timekeeper asks of the deciding core, so that a test can plant a fault in it.
import { advance, decide, evolve } from '#expectations';

export interface Core {
  readonly advance: typeof advance;
  readonly decide: typeof decide;
  readonly evolve: typeof evolve;
}

export const core: Core = { advance, decide, evolve };
