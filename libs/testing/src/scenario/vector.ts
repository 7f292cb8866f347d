// The shape of a vector file: inputs in log order, and what was decided. Types only; the model and the core both speak it.
import type { Input, LapseBlock, LapseKind, RefusalCode, Settings, WithdrawalCause } from '#expectations';

/** What is given: the first settings, where they differ from the defaults, and one tenant's inputs in log order. */
export interface Scenario {
  readonly config?: Partial<Settings>;
  readonly inputs: readonly Input[];
}

/** One expectation at the log's last instant; instants are RFC 3339 in UTC. */
export interface ExpectedRecord {
  readonly agentId: string;
  readonly expectationId: string;
  readonly status: 'open' | 'satisfied' | 'withdrawn';
  readonly projectedDueAt: string;
  readonly dueAt: string;
  readonly lineage: number;
  /** In the order they happened. */
  readonly lapses: readonly LapseKind[];
  /** Only where it is open and suspended. */
  readonly suspended?: true;
  readonly satisfiedAt?: string;
  readonly observedAt?: string;
  readonly source?: string;
  readonly late?: boolean;
  readonly reportedLate?: boolean;
  readonly withdrawn?: WithdrawalCause;
  readonly supersededBy?: string;
}

export interface ExpectedLapse {
  readonly agentId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly messageId: string;
  readonly lapse: LapseBlock;
}

/** A refusal that was reported. */
export interface ExpectedRefusal {
  readonly agentId: string;
  readonly expectationId: string | null;
  readonly code: RefusalCode;
}

/** What is decided: `expected` of a vector file. */
export interface Decided {
  readonly records: readonly ExpectedRecord[];
  readonly lapses: readonly ExpectedLapse[];
  readonly refusals: readonly ExpectedRefusal[];
}

/** A vector file of the specification. */
export interface Vector extends Scenario {
  readonly name: string;
  readonly why: string;
  readonly expected: Decided;
}
