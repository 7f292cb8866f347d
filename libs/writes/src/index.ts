// How the edges tell the log something, wait for what is decided of it, and answer.
export * from './writes.module.ts';
export * from './writes.ts';
export * from './write-fault.ts';
export * from './writes-metrics.ts';
export * from './room-for-writes.guard.ts';
export * from './quarantine.ts';
export * from './prefer.ts';
export * from './send-answer.ts';
export * from './answers/planned-fact.ts';
export type * from './answers/fact-result.ts';
export type * from './answers/observation-result.ts';
export type * from './answers/write-answer.ts';
export * from './tenant-settings.ts';
