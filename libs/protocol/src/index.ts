// The A2A edges: the extension's names, an agent's declaration, observations, facts, lapse messages, the messenger.
export * from './extension.ts';
export * from './limits.ts';
export * from './a2a-names.ts';
export { type Block, type BlockNote, type BlockRead, readBlock } from './block.ts';
export * from './reporter.ts';
export * from './fact.ts';
export * from './fed-facts.ts';
export type * from './implausible-facts.ts';
export type * from './reading.ts';
export * from './listed-items.ts';
export * from './observation.ts';
export * from './finding.ts';
export * from './declaration.ts';
export type * from './declared-kinds.ts';
export * from './card-changes.ts';
export * from './interfaces.ts';
export * from './other-origins.ts';
export type * from './agent-auth.ts';
export { AccessTokenError } from './access-tokens.ts';
export * from './agent-calls.ts';
export * from './fetch-card.ts';
export * from './lapse-message.ts';
export * from './lapse-text.ts';
export * from './refusals-message.ts';
export type * from './messenger.ts';
export * from './sdk-messenger.ts';
export * from './plain-call.ts';
export * from './dedupe-probe.ts';
export * from './capabilities.ts';
export * from './stream-part.ts';
export * from './task-reader.ts';
export * from './sdk-task-reader.ts';
export {
  isList,
  isObject,
  isStorable,
  isWithinDepth,
  isWithinLength,
  type JsonObject,
  member,
  textMember,
} from './shape.ts';
export { GatheredBytes } from './gathered-bytes.ts';
export { readBytes } from './read-bytes.ts';
