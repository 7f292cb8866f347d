// Whether the log may be run on the topics as they are. It looks, and must never change anything.
import { LogMisconfiguredError } from '#event-log';
import type { KafkaAddress } from '#runtime';
import { desiredTopics } from './desired-topics.ts';
import { planTopics } from './plan-topics.ts';
import { readTopics } from './read-topics.ts';
import { withAdmin } from './topic-admin.ts';
import { describeWrong } from './topic-step.ts';

/**
 * Throws `LogMisconfiguredError` with a line for each thing that would break what the log promises, and what to do
 * about it; `LogUnavailableError` where Kafka cannot be reached or does not let us look. Resolves to a sentence for
 * each thing that is not as it should be and breaks nothing, for the process's own log.
 */
export async function assertUsableTopics(address: KafkaAddress, partitionCount: number): Promise<readonly string[]> {
  // How many replicas there should be, one alone at the least, was decided when the topics were made.
  const desired = desiredTopics({ prefix: address.prefix, partitionCount, replicationFactor: 1 });
  const actual = await withAdmin(address, `look at the topics ${address.prefix}.*`, (admin) =>
    readTopics(admin, desired, false),
  );
  const steps = planTopics(desired, actual);
  const breaking = steps.filter(({ isBreaking }) => isBreaking);
  if (breaking.length > 0) {
    const lines = breaking.map((step) => `  ${describeWrong(step)}`);
    throw new LogMisconfiguredError('topics', ['the log cannot run on these topics:', ...lines].join('\n'));
  }
  return steps.map(describeWrong);
}
