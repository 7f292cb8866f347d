// The log on Kafka.
export * from './topic-names.ts';
export * from './client-options.ts';
