// The log on Kafka.
export * from './topic-names.ts';
export * from './client-options.ts';
export * from './kafka-event-log.ts';
export * from './kafka-partition-share.ts';
export * from './kafka-snapshot-store.ts';
