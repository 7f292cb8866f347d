// What an agent that keeps its own time has been told, in order: all that it decides is made from it again (§12.2). What it
// was told long ago may be replaced by a checkpoint of what came of it.
import type { Input, SnapshotPart } from '#expectations';
import type { DueLapse } from './due-lapses.ts';

/** What came of all inputs before it: plain JSON. */
export interface Checkpoint {
  /** Raised whenever a member changes its meaning. Earlier ones must stay readable: nothing else has what they say. */
  readonly v: 1;
  /** The instant of the last input. */
  readonly atMs: number;
  readonly lapses: readonly DueLapse[];
  readonly state: readonly SnapshotPart[];
}

export interface JournalContent {
  readonly checkpoint?: Checkpoint;
  /** What was appended since, in order. */
  readonly inputs: readonly Input[];
}

/** One writer at a time. */
export interface TimingJournal {
  /** All that it has; asked once, before anything is appended. */
  read(): Promise<JournalContent>;
  /** Resolves once it is kept: all of it, or, where it rejects, none. */
  append(inputs: readonly Input[]): Promise<void>;
  /** Enough has been appended that a checkpoint is worth its price. */
  readonly isGrown: boolean;
  /** Replaces all that it has. Resolves once that is kept; where it rejects, what it had is kept. */
  compact(checkpoint: Checkpoint): Promise<void>;
}

const mostInputs = 10_000;

/** For tests, and for agents that forget what they expect when they end. */
export class MemoryJournal implements TimingJournal {
  readonly inputs: Input[] = [];
  protected kept: Checkpoint | undefined;

  get isGrown(): boolean {
    return this.inputs.length > mostInputs;
  }

  read = async (): Promise<JournalContent> => ({
    ...(this.kept && { checkpoint: this.kept }),
    inputs: [...this.inputs],
  });

  append = async (inputs: readonly Input[]): Promise<void> => void this.inputs.push(...inputs);

  compact = async (checkpoint: Checkpoint): Promise<void> => {
    this.kept = checkpoint;
    this.inputs.length = 0;
  };
}
