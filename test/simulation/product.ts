// What of the apps is simulated. The only file here that reaches into them.
export { PartitionLoop } from '../../apps/timekeeper/src/partition-loop.ts';
export { makeSnapshot } from '../../apps/timekeeper/src/snapshotting.ts';
export { Dispatcher } from '../../apps/dispatcher/src/dispatcher.ts';
export type { AgentDirectory } from '../../apps/dispatcher/src/agent-directory.ts';
export { openDispatchDatabase } from '../../apps/dispatcher/src/outbox/dispatch-database.ts';
export { Projector } from '../../apps/projector/src/projector.ts';
