// What of an agent's doings its callers are told. Tools' arguments and results are never: there is no way to say them.

export interface OutputPolicy {
  /** The member of `metadata` under which the host tells it; `harnest` unless given. */
  readonly namespace?: string;
  /** What models think; false unless given. */
  readonly thinking?: boolean;
  /** Decisions; false unless given. */
  readonly decisionResults?: boolean;
  /** Agents and nodes that begin and end; true unless given. */
  readonly agentActivity?: boolean;
  /** Models and tokens: as `normalized` unless given, not at all, or with the provider's own mapping beside it. */
  readonly agentMetadata?: 'normalized' | 'suppress' | 'raw';
}

export interface Activity {
  readonly agent: string;
  readonly node?: string;
  readonly phase: 'started' | 'finished' | 'failed';
}

export interface ModelUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}
