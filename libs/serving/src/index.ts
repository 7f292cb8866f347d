// How a process serves its share of the partitions: Nest's transport strategy over the port, and what is known of it.
export * from './memberships.ts';
export * from './or-end-process.ts';
export * from './partition-server.ts';
export * from './until-aborted.ts';
