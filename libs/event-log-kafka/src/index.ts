// The log on Kafka.
export * from './topic-names.ts';
export * from './client-options.ts';
export * from './kafka-fault.ts';
export * from './open.ts';
export { KafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.ts';
export * from './kafka-partition-share.ts';
export * from './feeds/kafka-feeds.ts';
export type { DeadLetter } from './feeds/dead-letters.ts';
export * from './kafka-snapshot-store.ts';
export { describeStep, describeWrong, type TopicStep } from './topics/topic-step.ts';
export * from './topics/apply-topics.ts';
export * from './topics/assert-usable-topics.ts';
