// What every process needs and no domain rule: clock, tokens, callers.
export * from './tokens.ts';
export * from './clock.ts';
export * from './caller.ts';
