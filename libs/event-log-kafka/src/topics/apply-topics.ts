// Makes topics as they should be, and says what is left to do by hand.
import kafkajs, { type Admin } from 'kafkajs';
import { type Clock, type KafkaAddress, systemClock } from '#runtime';
import { answerTypeOf } from '../kafka-fault.ts';
import { desiredTopics } from './desired-topics.ts';
import { type ActualTopics, planTopics } from './plan-topics.ts';
import { readTopics } from './read-topics.ts';
import { withAdmin } from './topic-admin.ts';
import type { TopicStep } from './topic-step.ts';

export interface WantedTopics {
  readonly partitionCount: number;
  /** Absent: three, or as many as there are brokers. */
  readonly replicationFactor?: number | undefined;
}

type CreateStep = Extract<TopicStep, { readonly step: 'create' }>;
type ConfigureStep = Extract<TopicStep, { readonly step: 'configure' }>;

interface Look {
  readonly actual: ActualTopics;
  readonly steps: readonly TopicStep[];
}

const USUAL_REPLICATION = 3;
/** How long a change may take until every broker tells of it. */
const MOST_WAIT_MS = 10_000;
const WAIT_MS = 100;
/** What a broker says of a topic that another has just made, or that it is about to lead itself. */
const earlyAnswers: ReadonlySet<string> = new Set([
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
]);

/** What is to be done so that the topics are as they should be. Throws as `withAdmin`. */
export async function readTopicPlan(address: KafkaAddress, wanted: WantedTopics): Promise<readonly TopicStep[]> {
  return withAdmin(
    address,
    `look at the topics ${address.prefix}.*`,
    async (admin) => (await look(admin, address, wanted)).steps,
  );
}

/**
 * Does what may be done: settings at once, and topics that are missing unless something else is in the way. A second
 * call finds nothing to do. `left` is what only a person can do. Throws as `withAdmin`.
 */
export async function applyTopics(
  address: KafkaAddress,
  wanted: WantedTopics,
  clock: Clock = systemClock,
): Promise<{ readonly done: readonly TopicStep[]; readonly left: readonly TopicStep[] }> {
  return withAdmin(address, `make the topics ${address.prefix}.*`, async (admin) => {
    const { actual, steps } = await look(admin, address, wanted);
    const isInTheWay = steps.some(({ step, isBreaking }) => step === 'refuse' && isBreaking);
    const changes = steps.filter((step) => step.step === 'configure');
    const creations = isInTheWay ? [] : steps.filter((step) => step.step === 'create');
    await configure(admin, actual, changes);
    for (const creation of creations) await create(admin, creation);
    const done = [...changes, ...creations];
    if (done.length === 0) return { done, left: steps };
    const deadline = clock.now() + MOST_WAIT_MS;
    let left = await lookAgain(admin, address, wanted);
    while ((left === undefined || left.some((step) => isOneOf(step, done))) && clock.now() < deadline) {
      await clock.sleep(WAIT_MS);
      left = await lookAgain(admin, address, wanted);
    }
    return { done, left: left ?? (await look(admin, address, wanted)).steps };
  });
}

async function look(admin: Admin, { prefix }: KafkaAddress, wanted: WantedTopics): Promise<Look> {
  const { partitionCount } = wanted;
  const { brokers } = await admin.describeCluster();
  const replicationFactor = wanted.replicationFactor ?? Math.min(USUAL_REPLICATION, brokers.length);
  const desired = desiredTopics({ prefix, partitionCount, replicationFactor });
  const actual = { ...(await readTopics(admin, desired, true)), brokerCount: brokers.length };
  return { actual, steps: planTopics(desired, actual) };
}

/** Undefined while a broker does not know yet of what was made. */
async function lookAgain(
  admin: Admin,
  address: KafkaAddress,
  wanted: WantedTopics,
): Promise<readonly TopicStep[] | undefined> {
  try {
    return (await look(admin, address, wanted)).steps;
  } catch (error) {
    if (earlyAnswers.has(answerTypeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function isOneOf(step: TopicStep, done: readonly TopicStep[]): boolean {
  return done.some(({ step: kind, topic }) => kind === step.step && topic === step.topic);
}

/** The client's request sets all settings of a topic at once and resets what it does not name: it names them all. */
async function configure(admin: Admin, actual: ActualTopics, changes: readonly ConfigureStep[]): Promise<void> {
  const names = [...new Set(changes.map(({ topic }) => topic))];
  if (names.length === 0) return;
  const resources = names.map((name) => {
    const own = [...(actual.topics.get(name)?.settings ?? [])].filter(([, { isOwn }]) => isOwn);
    const settings = new Map(own.map(([setting, { value }]) => [setting, value]));
    for (const { topic, setting, to } of changes) if (topic === name) settings.set(setting, to);
    const configEntries = [...settings].map(([setting, value]) => ({ name: setting, value }));
    return { type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries };
  });
  await admin.alterConfigs({ resources, validateOnly: false });
}

/** One that somebody else has just made is looked at afterwards like any other. */
async function create(admin: Admin, { topic, partitionCount, replicationFactor, settings }: CreateStep): Promise<void> {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const topics = [{ topic, numPartitions: partitionCount, replicationFactor, configEntries }];
  // The client would wait for leaders at a broker that may not know of the topic yet, and fail; we look afterwards.
  await admin.createTopics({ topics, waitForLeaders: false });
}
