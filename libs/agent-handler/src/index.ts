// What the author of an agent writes for the agent host: types, and nothing that runs.
export type * from './agent-handler.ts';
export type * from './content.ts';
export type * from './extension-entry.ts';
export type * from './output.ts';
export type * from './reminders.ts';
export type * from './security.ts';
export type * from './turn.ts';
export type * from './work.ts';
