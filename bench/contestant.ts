// What is measured: something that takes inputs and gives events. The core, and bare `Map`s beside it.
import { decide, type Input, restoreSnapshot, type SnapshotPart, State, takeSnapshot } from '#expectations';

export interface Contestant {
  /** Takes one input, changes what it holds, and makes the events; returns how many. */
  take(input: Input): number;
  /** How many expectations are open. */
  openCount(): number;
  /** All it holds as JSON texts. */
  snapshot(): string[];
  /** Holds what the texts say, and nothing else. */
  restore(texts: Iterable<string>): void;
}

/** The core as the timekeeper uses it: `decide` evolves the state by each event. */
export function core(): Contestant {
  let state = new State();
  return {
    take: (input) => decide(state, input).length,
    openCount: () => state.openCount,
    snapshot: () => {
      const texts: string[] = [];
      for (const part of takeSnapshot(state)) texts.push(JSON.stringify(part));
      return texts;
    },
    restore: (texts) => {
      state = new State();
      state = restoreSnapshot(partsOf(texts));
    },
  };
}

function* partsOf(texts: Iterable<string>): Generator<SnapshotPart> {
  for (const text of texts) yield JSON.parse(text) as SnapshotPart;
}
