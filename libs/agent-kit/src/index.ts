// The agent kit: raising expectations and answering for lapses, for agents on `@a2a-js/sdk` and for handlers alike.
export { type Clock, systemClock } from './clock.ts';
export * from './expectation.ts';
export type * from './work-calendar.ts';
export * from './due.ts';
export type * from './kinds.ts';
export type { Carrier } from './carrier.ts';
export * from './card-declaration.ts';
export { ExpectationRefusedError } from './core-judge.ts';
export type * from './task-block.ts';
export * from './expectations.ts';
export * from './lapse.ts';
export * from './lapse-router.ts';
export * from './activation.ts';
export * from './echo.ts';
export * from './origin.ts';
export type * from './answer.ts';
export * from './kit-executor.ts';
