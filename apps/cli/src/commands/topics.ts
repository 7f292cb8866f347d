// `topics`: the log's topics on Kafka as they should be, as code.
import { applyTopics, describeStep, describeWrong, readTopicPlan, type TopicStep } from '#event-log-kafka';
import { type Config, type KafkaAddress, loadConfig, unknownSettings } from '#runtime';
import { CommandError, ExitCode } from '../exit-code.ts';

export interface TopicsOptions {
  readonly replication?: number;
  readonly json?: true;
}

/** What `apply` would do. Ends with 1 where something is left that only a person can do. */
export async function planTopics(options: TopicsOptions): Promise<void> {
  const steps = await readTopicPlan(...wanted(options));
  print(steps, describeStep, options);
  if (steps.some(({ step }) => step === 'refuse')) process.exitCode = ExitCode.notSo;
}

/** Does it. Ends with 1 where the topics are still not as they should be. */
export async function applyTopicPlan(options: TopicsOptions): Promise<void> {
  const { done, left } = await applyTopics(...wanted(options));
  print([...done, ...left.filter(({ step }) => step === 'refuse')], describeStep, options);
  if (left.length > 0) process.exitCode = ExitCode.notSo;
}

/** Says what is wrong, and what to do about it. Ends with 1 where anything is. */
export async function checkTopics(options: TopicsOptions): Promise<void> {
  const steps = await readTopicPlan(...wanted(options));
  print(steps, describeWrong, options);
  if (steps.length > 0) process.exitCode = ExitCode.notSo;
}

function wanted({
  replication,
}: TopicsOptions): [KafkaAddress, { partitionCount: number; replicationFactor?: number }] {
  const { kafka, partitionCount } = loadedConfig();
  if (kafka === undefined) throw new CommandError(ExitCode.wrongUse, 'DUEWATCH_KAFKA_BROKERS must say where Kafka is');
  return [kafka, { partitionCount, ...(replication !== undefined && { replicationFactor: replication }) }];
}

/** A mistyped number of partitions would be found out too late. */
function loadedConfig(): Config {
  for (const name of unknownSettings()) process.stderr.write(`${name} is no setting: is it mistyped?\n`);
  return loadConfig();
}

function print(steps: readonly TopicStep[], describe: (step: TopicStep) => string, { json }: TopicsOptions): void {
  for (const step of steps) {
    process.stdout.write(`${json === true ? JSON.stringify({ ...step, sentence: describe(step) }) : describe(step)}\n`);
  }
  if (steps.length === 0 && json !== true) process.stdout.write('the topics are as they should be\n');
}
