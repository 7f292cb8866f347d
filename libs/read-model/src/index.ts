// The read model: what was decided, in tables, and the fold that makes them.
export * from './read-model.ts';
export * from './fold-ledger.ts';
export * from './ledger-reader.ts';
export * from './rebuild.ts';
export * from './read-rows.ts';
export * from './stored-text.ts';
export { instantText } from './columns.ts';
export * from './tables/expectation.entity.ts';
export * from './tables/open-expectation.entity.ts';
export * from './tables/lapse.entity.ts';
export * from './tables/fact.entity.ts';
export * from './tables/refusal.entity.ts';
export * from './tables/task.entity.ts';
export * from './tables/awaited-task.entity.ts';
export * from './awaited-tasks.ts';
export * from './tables/declaration.entity.ts';
export * from './tables/hold.entity.ts';
export * from './tables/position.entity.ts';
