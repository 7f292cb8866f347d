import kafkajs, { type Admin } from 'kafkajs';
import type { KafkaAddress } from '#runtime';
import { type KafkaCluster, startCluster } from '#testing';
import { answerTypeOf } from '../kafka-fault.ts';
import { applyTopics, readTopicPlan } from './apply-topics.ts';
import { assertUsableTopics } from './assert-usable-topics.ts';

const partitionCount = 2;

describe('the topics on three brokers', () => {
  let cluster: KafkaCluster;
  let address: KafkaAddress;
  let admin: Admin;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ nodes: 3 });
    closing.push(() => cluster.close());
    address = { brokers: cluster.brokers, prefix: 'duewatch' };
    admin = new kafkajs.Kafka({ brokers: [...cluster.brokers], logLevel: kafkajs.logLevel.NOTHING }).admin();
    closing.push(() => admin.disconnect());
    await admin.connect();
  });

  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  it('have three replicas of which two must have a record, unless it is said otherwise', async () => {
    const { done, left } = await applyTopics(address, { partitionCount });
    expect(done).toEqual(
      Array(5).fill(
        expect.objectContaining({
          step: 'create',
          replicationFactor: 3,
          settings: expect.objectContaining({ 'min.insync.replicas': '2' }),
        }),
      ),
    );
    expect(left).toEqual([]);
    expect(await assertUsableTopics(address, partitionCount)).toEqual([]);
  });

  it('are usable with one replica, which the plan says is too few unless it is meant', async () => {
    const small = { ...address, prefix: 'small' };
    await applyTopics(small, { partitionCount, replicationFactor: 1 });
    expect(await assertUsableTopics(small, partitionCount)).toEqual([]);
    expect(await readTopicPlan(small, { partitionCount, replicationFactor: 1 })).toEqual([]);
    expect(await readTopicPlan(small, { partitionCount })).toEqual(
      Array(4).fill(expect.objectContaining({ step: 'refuse', reason: 'too_few_replicas', isBreaking: false })),
    );
  });

  it('are refused where one broker alone may have what counts as appended, until it is put right', async () => {
    const loose = { ...address, prefix: 'loose' };
    await applyTopics(loose, { partitionCount });
    const { topics } = await admin.fetchTopicMetadata({ topics: ['loose.ledger'] });
    expect(topics[0]?.partitions.map(({ replicas }) => replicas.length)).toEqual([3, 3]);
    const configEntries = [{ name: 'min.insync.replicas', value: '1' }];
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: 'loose.ledger', configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
    const isRefused = () => assertUsableTopics(loose, partitionCount).then(() => undefined, String);
    let refused = await isRefused();
    while (refused?.includes('min.insync.replicas') !== true) refused = await isRefused();
    expect(refused).toMatch(
      /loose.ledger has min.insync.replicas=1 and must have 2, so that .* kept by 2 replicas of 3/,
    );
    expect(await applyTopics(loose, { partitionCount })).toMatchObject({ left: [] });
    expect(await readTopicPlan(loose, { partitionCount })).toEqual([]);
  });

  it('are usable while a broker is gone, and with it somebody else’s topic', async () => {
    const replicaAssignment = [{ partition: 0, replicas: [3] }];
    await admin.createTopics({ topics: [{ topic: 'of-somebody-else', replicaAssignment }] });
    await cluster.kill(3);
    const answer = () => admin.fetchTopicMetadata({ topics: ['of-somebody-else'] }).then(() => undefined, answerTypeOf);
    while ((await answer()) !== 'LEADER_NOT_AVAILABLE');
    expect(await assertUsableTopics({ ...address, brokers: cluster.brokers.slice(0, 2) }, partitionCount)).toEqual([]);
  });
});
