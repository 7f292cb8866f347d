// The A2A edges: the extension's names, an agent's declaration, observations, facts, lapse messages, the messenger.
export * from './extension.ts';
export * from './limits.ts';
export * from './a2a-names.ts';
export type * from './block.ts';
export * from './reporter.ts';
export * from './fact.ts';
export type * from './reading.ts';
export * from './observation.ts';
export * from './finding.ts';
export * from './declaration.ts';
export type * from './declared-kinds.ts';
export * from './interfaces.ts';
export * from './agent-auth.ts';
export * from './fetch-card.ts';
export * from './lapse-message.ts';
export * from './lapse-text.ts';
export type * from './messenger.ts';
export * from './sdk-messenger.ts';
