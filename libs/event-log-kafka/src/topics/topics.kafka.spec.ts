import { randomBytes } from 'node:crypto';
import kafkajs, { type Admin } from 'kafkajs';
import { LogMisconfiguredError, LogUnavailableError } from '#event-log';
import type { KafkaAddress } from '#runtime';
import { testBrokers } from '#testing';
import { applyTopics, readTopicPlan } from './apply-topics.ts';
import { assertUsableTopics } from './assert-usable-topics.ts';
import { desiredTopics } from './desired-topics.ts';

const partitionCount = 2;
const wanted = { partitionCount, replicationFactor: 1 };
const { TOPIC } = kafkajs.ConfigResourceTypes;

describe('the topics on a broker', () => {
  let address: KafkaAddress;
  let admin: Admin;

  beforeAll(async () => {
    const brokers = [...(await testBrokers())];
    admin = new kafkajs.Kafka({ brokers, logLevel: kafkajs.logLevel.NOTHING }).admin();
    await admin.connect();
  });

  afterAll(() => admin.disconnect());

  beforeEach(async () => {
    address = { brokers: await testBrokers(), prefix: `topics-${randomBytes(6).toString('hex')}` };
  });

  afterEach(async () => {
    const own = (await admin.listTopics()).filter((topic) => topic.startsWith(`${address.prefix}.`));
    if (own.length > 0) await admin.deleteTopics({ topics: own });
  });

  const name = (topic: string): string => `${address.prefix}.${topic}`;
  const usable = () => assertUsableTopics(address, partitionCount);

  /** Gives a topic the settings it should have, and the given ones instead, and waits until the broker says so. */
  async function change(topic: string, settings: Readonly<Record<string, string>>): Promise<void> {
    const desired = desiredTopics({ prefix: address.prefix, partitionCount, replicationFactor: 1 });
    const own = desired.topics.find((one) => one.name === name(topic))?.settings ?? [];
    const all = { ...Object.fromEntries(own.map((setting) => [setting.name, setting.value])), ...settings };
    const configEntries = Object.entries(all).map(([setting, value]) => ({ name: setting, value }));
    await admin.alterConfigs({ validateOnly: false, resources: [{ type: TOPIC, name: name(topic), configEntries }] });
    for (const [setting, value] of Object.entries(settings)) while ((await settingOf(topic, setting)) !== value);
  }

  async function settingOf(topic: string, setting: string): Promise<string | undefined> {
    const asked = [{ type: TOPIC, name: name(topic), configNames: [setting] }];
    const { resources } = await admin.describeConfigs({ resources: asked, includeSynonyms: false });
    return resources[0]?.configEntries[0]?.configValue;
  }

  async function refusal(): Promise<readonly string[]> {
    const error: unknown = await usable().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LogMisconfiguredError);
    expect(error).toMatchObject({ reason: 'topics' });
    const [head, ...lines] = (error as Error).message.split('\n');
    expect(head).toBe('the log cannot run on these topics:');
    return lines;
  }

  it('are missing at first, each said in a line of its own with what to do', async () => {
    expect(await refusal()).toEqual(
      ['inbox', 'ledger', 'snapshots', 'dead-letters', `partitioning.fnv1a-utf16.${partitionCount}`].map(
        (topic) => `  ${name(topic)} is missing: run \`duewatch topics apply\``,
      ),
    );
  });

  it('are made once, and usable from then on', async () => {
    const { done, left } = await applyTopics(address, wanted);
    expect(done.map(({ step }) => step)).toEqual(Array(5).fill('create'));
    expect(left).toEqual([]);
    expect(await applyTopics(address, wanted)).toEqual({ done: [], left: [] });
    expect(await readTopicPlan(address, wanted)).toEqual([]);
    expect(await usable()).toEqual([]);
    expect(await settingOf('ledger', 'message.timestamp.type')).toBe('LogAppendTime');
  });

  it('are made by several at once, and still once', async () => {
    const all = await Promise.all([1, 2, 3].map(() => applyTopics(address, wanted)));
    expect(all.map(({ left }) => left)).toEqual([[], [], []]);
    expect(await usable()).toEqual([]);
  });

  it('are put right without losing what an operator has set beside', async () => {
    await applyTopics(address, wanted);
    await change('ledger', { 'retention.ms': '604800000', 'segment.bytes': '20971520' });
    const { done, left } = await applyTopics(address, wanted);
    expect(done).toMatchObject([{ step: 'configure', setting: 'retention.ms', from: '604800000', to: '-1' }]);
    expect(left).toEqual([]);
    expect(await settingOf('ledger', 'segment.bytes')).toBe('20971520');
    expect(await settingOf('ledger', 'message.timestamp.type')).toBe('LogAppendTime');
    expect(await usable()).toEqual([]);
  });

  it.each([
    ['inbox', 'message.timestamp.type', 'CreateTime'],
    ['inbox', 'cleanup.policy', 'compact,delete'],
    ['inbox', 'retention.ms', '604800000'],
    ['inbox', 'retention.bytes', '1073741824'],
    ['inbox', 'max.message.bytes', '1048588'],
    ['inbox', 'min.insync.replicas', '2'],
    ['ledger', 'message.timestamp.type', 'CreateTime'],
    ['ledger', 'cleanup.policy', 'compact'],
    ['ledger', 'retention.ms', '604800000'],
    ['ledger', 'retention.bytes', '1073741824'],
    ['ledger', 'unclean.leader.election.enable', 'true'],
    ['ledger', 'min.insync.replicas', '2'],
  ])('are refused with an %s of %s=%s, until it is put right', async (topic, setting, value) => {
    await applyTopics(address, wanted);
    await change(topic, { [setting]: value });
    expect(await refusal()).toEqual([
      expect.stringMatching(`^  ${name(topic)} has ${setting}=${value} and must have `),
    ]);
    expect(await applyTopics(address, wanted)).toMatchObject({ done: [{ setting }], left: [] });
    expect(await usable()).toEqual([]);
  });

  it('are usable, with a word of warning, where only what is of no matter to the record is otherwise', async () => {
    await applyTopics(address, wanted);
    await change('dead-letters', { 'retention.ms': '1000' });
    expect(await usable()).toEqual([expect.stringMatching(/dead-letters has retention.ms=1000 /)]);
  });

  it('are refused with a changed number of partitions, which nothing puts right', async () => {
    await applyTopics(address, wanted);
    await admin.createPartitions({ topicPartitions: [{ topic: name('ledger'), count: 3 }] });
    while ((await usable().catch(() => undefined)) !== undefined);
    expect(await refusal()).toEqual([expect.stringMatching(/ledger has 3 partitions and 2 are configured: /)]);
    expect(await applyTopics(address, wanted)).toMatchObject({
      done: [],
      left: [{ step: 'refuse', reason: 'partition_count' }],
    });
  });

  it('are refused where another number of partitions is configured, and nothing is made', async () => {
    await applyTopics(address, wanted);
    await admin.deleteTopics({ topics: [name('snapshots')] });
    while ((await usable().catch(() => undefined)) !== undefined);
    const { done, left } = await applyTopics(address, { ...wanted, partitionCount: 4 });
    expect(done).toEqual([]);
    expect(left.map((step) => (step.step === 'refuse' ? step.reason : step.step))).toEqual([
      'partition_count',
      'partition_count',
      'create',
      'other_partitioning',
    ]);
    const refused = assertUsableTopics(address, 4);
    await expect(refused).rejects.toThrow(/inbox has 2 partitions and 4 are configured.*Set DUEWATCH_PARTITIONS=2/);
    await expect(refused).rejects.toThrow(/partitioning.fnv1a-utf16.2 says .* by fnv1a-utf16.2, and this is .*16.4/);
  });

  it('are refused where tenants are spread by another function', async () => {
    await applyTopics(address, wanted);
    await admin.deleteTopics({ topics: [name(`partitioning.fnv1a-utf16.${partitionCount}`)] });
    await admin.createTopics({ topics: [{ topic: name('partitioning.murmur2.2'), numPartitions: 1 }] });
    while ((await usable().catch(() => undefined)) !== undefined);
    expect(await refusal()).toEqual([
      expect.stringMatching(
        /partitioning.murmur2.2 says that tenants are spread by murmur2.2, and this is fnv1a-utf16.2/,
      ),
    ]);
  });

  it('are refused where they were written and nothing says how tenants are spread', async () => {
    await applyTopics(address, wanted);
    const producer = new kafkajs.Kafka({
      brokers: [...address.brokers],
      logLevel: kafkajs.logLevel.NOTHING,
    }).producer();
    await producer.connect();
    await producer
      .send({ topic: name('inbox'), messages: [{ value: 'x', partition: 1 }] })
      .finally(() => producer.disconnect());
    await admin.deleteTopics({ topics: [name(`partitioning.fnv1a-utf16.${partitionCount}`)] });
    while ((await usable().catch(() => undefined)) !== undefined);
    expect(await refusal()).toEqual([
      expect.stringMatching(/partitioning.fnv1a-utf16.2, which .* is missing, though /),
    ]);
    expect(await applyTopics(address, wanted)).toMatchObject({
      done: [],
      left: [{ reason: 'partitioning_unrecorded' }],
    });
  });

  it('cannot be looked at where nothing answers', async () => {
    const refused = assertUsableTopics({ ...address, brokers: ['127.0.0.1:1'] }, partitionCount);
    await expect(refused).rejects.toBeInstanceOf(LogUnavailableError);
    await expect(refused).rejects.toThrow(/^Kafka cannot be reached at 127.0.0.1:1: .*ECONNREFUSED/);
  });
});
