// What of the protocol needs nothing but the core: no log, no network, of the SDK types alone. The part that the agent kit is published with.
export * from './extension.ts';
export * from './limits.ts';
export * from './a2a-names.ts';
export { type Block, type BlockNote, type BlockRead, readBlock } from './block.ts';
export * from './reporter.ts';
export * from './fact.ts';
export * from './observation.ts';
export * from './own-task.ts';
export * from './finding.ts';
export * from './declaration.ts';
export { type DeclaredKind, readKinds } from './declared-kinds.ts';
export * from './interfaces.ts';
export * from './lapse-message.ts';
export * from './lapse-text.ts';
export { isList, isObject, type JsonObject, member, textMember } from './shape.ts';
export { withinTime } from './within-time.ts';
