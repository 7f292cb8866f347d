// The deciding core: pure functions over one tenant's ordered log. No clock, no randomness, no I/O.
export type * from './input.ts';
export type * from './event.ts';
export * from './refusal.ts';
export * from './warning.ts';
export { type AgentSettings, agentSettings, defaultSettings, readSettings, type Settings } from './settings.ts';
export { EXTENSION_URI } from './block.ts';
export { advance, decide, nextDeadline } from './decide.ts';
export { StateFaultError } from './state-fault-error.ts';
export { evolve } from './evolve.ts';
export { settle } from './memory.ts';
export { State } from './state/state.ts';
export { isInterrupted, isTerminal, terminalStates } from './state/task.ts';
export { takeSnapshot, type SnapshotPart } from './snapshot.ts';
export { restoreSnapshot, SnapshotRestore } from './restore.ts';
export { simulate, type Outcome, type Vector } from './simulate.ts';
export { formatInstant, parseInstant } from './instant.ts';
export { addDuration, type Duration, DURATION_PATTERN, parseDuration } from './duration.ts';
export { compareCodePoints } from './order.ts';
