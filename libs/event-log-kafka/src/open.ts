// Opens the log on Kafka, on topics that are as they must be.
import type { EventLog } from '#event-log';
import { KafkaEventLog, type KafkaEventLogOptions } from './kafka-event-log.ts';
import { assertUsableTopics } from './topics/assert-usable-topics.ts';

/**
 * Throws `LogMisconfiguredError`, with a line for each thing that would break the log's promises, and
 * `LogUnavailableError`. What is not as it should be and breaks nothing is reported.
 */
export async function openKafkaEventLog(options: KafkaEventLogOptions): Promise<EventLog> {
  const { address, partitionCount, report } = options;
  for (const warning of await assertUsableTopics(address, partitionCount)) report?.(warning);
  return new KafkaEventLog(options);
}
