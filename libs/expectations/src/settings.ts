// The settings a decision may depend on. They are inputs of the log (`configured`); the core reads them nowhere else.
import { parseDuration } from './duration.ts';

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
  /** How long after it is judged a skipped lapse is submitted at the earliest: feeds race. Per tenant or agent. */
  readonly skippedSettleTime: string;
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
  skippedSettleTime: 'PT10S',
};

/** Which settings may be set for a single agent. */
export const agentSettings = [
  'lineageBound',
  'maxOpenPerAgent',
  'refusalMemory',
  'dispatchSelfTimed',
  'skippedSettleTime',
] as const;

/** Settings for one agent; the tenant's count for what is absent. */
export type AgentSettings = Partial<Pick<Settings, (typeof agentSettings)[number]>>;

const DURATIONS = ['earlyFactWindow', 'retireAfter', 'closedMemory', 'factMemory', 'skippedSettleTime'] as const;
const COUNTS = ['lineageBound', 'maxOpenPerSubject', 'maxOpenPerAgent', 'factMemoryMax', 'refusalMemory'] as const;
/** Above it a count is taken for a mistake; it also keeps every index within what a process can hold. */
const LARGEST_COUNT = 10_000_000;

/** The settings an input sets, or which of them is wrong and why. Nothing of a faulty one counts. */
export function readSettings(
  value: unknown,
  forAgent: boolean,
): { readonly settings: Partial<Settings> } | { readonly message: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { message: 'settings: must be an object' };
  for (const [name, setting] of Object.entries(value)) {
    const message = faultOfSetting(name, setting, forAgent);
    if (message !== undefined) return { message: `settings.${name}: ${message}` };
  }
  return { settings: value };
}

function faultOfSetting(name: string, setting: unknown, forAgent: boolean): string | undefined {
  if (forAgent && !(agentSettings as readonly string[]).includes(name)) return 'cannot be set for one agent';
  if ((DURATIONS as readonly string[]).includes(name)) {
    return parseDuration(setting) === undefined ? 'must be an ISO 8601 duration' : undefined;
  }
  if ((COUNTS as readonly string[]).includes(name)) {
    const isCount =
      typeof setting === 'number' && Number.isInteger(setting) && setting >= 0 && setting <= LARGEST_COUNT;
    return isCount ? undefined : `must be a whole number from 0 to ${LARGEST_COUNT}`;
  }
  if (name === 'dispatchSelfTimed') return typeof setting === 'boolean' ? undefined : 'must be true or false';
  return 'is not a setting';
}
