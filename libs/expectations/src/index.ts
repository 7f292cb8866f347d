// The deciding core: pure functions over one tenant's ordered log.
export type * from './input.ts';
export type * from './event.ts';
export * from './refusal.ts';
export * from './warning.ts';
export * from './settings.ts';
