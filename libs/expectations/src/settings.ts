// The settings a decision may depend on. They are inputs of the log (`configured`); the core reads them nowhere else.

/** Durations are ISO 8601 texts; counts are whole numbers from 0 (semantics, *Settings* and *Memory*). */
export interface Settings {
  /** How many superseded ancestors an expectation may have (§10.3). Per tenant or agent. */
  readonly lineageBound: number;
  /** Open expectations of all agents on one subject (§13.2). */
  readonly maxOpenPerSubject: number;
  /** Open expectations of one agent (§13.2). Per tenant or agent. */
  readonly maxOpenPerAgent: number;
  /** How long after its receipt a fact satisfies what is recorded later, inclusive. */
  readonly earlyFactWindow: string;
  readonly retireAfter: string;
  readonly closedMemory: string;
  readonly factMemory: string;
  readonly factMemoryMax: number;
  /** Refusals remembered of an agent. Per tenant or agent. */
  readonly refusalMemory: number;
  /** Submit the lapses of an agent that keeps its own time. Per tenant or agent. */
  readonly dispatchSelfTimed: boolean;
}

export const defaultSettings: Settings = {
  lineageBound: 3,
  maxOpenPerSubject: 100,
  maxOpenPerAgent: 1_000_000,
  earlyFactWindow: 'PT1H',
  retireAfter: 'P90D',
  closedMemory: 'P90D',
  factMemory: 'P7D',
  factMemoryMax: 1_000_000,
  refusalMemory: 1_000,
  dispatchSelfTimed: false,
};

/** Which settings may be set for a single agent. */
export const agentSettings = ['lineageBound', 'maxOpenPerAgent', 'refusalMemory', 'dispatchSelfTimed'] as const;
