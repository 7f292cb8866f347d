import { desiredTopics } from './desired-topics.ts';
import { type ActualTopic, type ActualTopics, leastInsync, planTopics } from './plan-topics.ts';
import { describeStep, describeWrong, type TopicStep } from './topic-step.ts';

const desired = desiredTopics({ prefix: 'acme', partitionCount: 4, replicationFactor: 3 });

/** The topics as `apply` leaves them; `changed` has it otherwise, undefined for a topic that is missing. */
function actualTopics(
  changed: Readonly<Record<string, Partial<ActualTopic> | undefined>> = {},
  settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): ActualTopics {
  const topics = [...desired.topics, desired.partitioning]
    .filter(({ name }) => !(name in changed) || changed[name] !== undefined)
    .map(({ name, partitionCount, replicationFactor, settings: wanted }): [string, ActualTopic] => {
      const own = { 'min.insync.replicas': '2', ...Object.fromEntries(wanted.map((one) => [one.name, one.value])) };
      const values = Object.entries({ ...own, ...settings[name] });
      return [
        name,
        {
          partitionCount,
          replicationFactor,
          isUsed: false,
          settings: new Map(values.map(([setting, value]) => [setting, { value, isOwn: true }])),
          ...changed[name],
        },
      ];
    });
  return { topics: new Map(topics), partitionings: ['acme.partitioning.fnv1a-utf16.4'], brokerCount: 3 };
}

function planWith(name: string, settings: Readonly<Record<string, string>>): readonly TopicStep[] {
  return planTopics(desired, actualTopics({}, { [name]: settings }));
}

describe('the topics of a log', () => {
  it('are an inbox, a ledger and snapshots of as many partitions, dead letters, and one whose name is all', () => {
    expect([...desired.topics, desired.partitioning].map(({ name, partitionCount }) => [name, partitionCount])).toEqual(
      [
        ['acme.inbox', 4],
        ['acme.ledger', 4],
        ['acme.snapshots', 4],
        ['acme.dead-letters', 1],
        ['acme.partitioning.fnv1a-utf16.4', 1],
      ],
    );
  });

  it('are created where they are missing, with all their settings', () => {
    const steps = planTopics(desired, { topics: new Map(), partitionings: [], brokerCount: 3 });
    expect(steps.map(({ step, topic, isBreaking }) => [step, topic, isBreaking])).toEqual([
      ['create', 'acme.inbox', true],
      ['create', 'acme.ledger', true],
      ['create', 'acme.snapshots', true],
      ['create', 'acme.dead-letters', true],
      ['create', 'acme.partitioning.fnv1a-utf16.4', true],
    ]);
    expect(steps[1]).toEqual({
      step: 'create',
      topic: 'acme.ledger',
      isBreaking: true,
      partitionCount: 4,
      replicationFactor: 3,
      settings: {
        'message.timestamp.type': 'LogAppendTime',
        'cleanup.policy': 'delete',
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'max.message.bytes': '16777216',
        'min.insync.replicas': '2',
        'compression.type': 'uncompressed',
        'unclean.leader.election.enable': 'false',
      },
    });
    expect(steps.slice(3).map(describeStep)).toEqual([
      'create acme.dead-letters: 1 partition, 3 replicas each, cleanup.policy=delete, retention.ms=2592000000, ' +
        'max.message.bytes=16777216, compression.type=uncompressed, unclean.leader.election.enable=false, ' +
        'min.insync.replicas=2',
      'create acme.partitioning.fnv1a-utf16.4: 1 partition, 3 replicas each, min.insync.replicas=2',
    ]);
    expect(steps.slice(3, 4).map(describeWrong)).toEqual(['acme.dead-letters is missing: run `duewatch topics apply`']);
  });

  it('need as many brokers as replicas to be created', () => {
    const steps = planTopics(desired, { topics: new Map(), partitionings: [], brokerCount: 1 });
    expect(steps.map((step) => step.step === 'refuse' && step.reason)).toEqual(Array(5).fill('too_few_brokers'));
    expect(steps.slice(0, 1).map(describeWrong)).toEqual([
      'acme.inbox is missing and would need 3 replicas, and the cluster has 1 broker: start more, or ask for fewer ' +
        'with --replication',
    ]);
  });

  it('are left alone where they are as they should be', () => {
    expect(planTopics(desired, actualTopics())).toEqual([]);
  });
});

describe('a setting that is another', () => {
  it('is set, and says what for', () => {
    const steps = planWith('acme.ledger', { 'retention.ms': '604800000' });
    expect(steps).toEqual([
      {
        step: 'configure',
        topic: 'acme.ledger',
        isBreaking: true,
        setting: 'retention.ms',
        from: '604800000',
        to: '-1',
        purpose: 'nothing decided is lost',
      },
    ]);
    expect(steps.map(describeStep)).toEqual([
      'set retention.ms of acme.ledger to -1, from 604800000, so that nothing decided is lost',
    ]);
    expect(steps.map(describeWrong)).toEqual([
      'acme.ledger has retention.ms=604800000 and must have -1, so that nothing decided is lost: ' +
        'run `duewatch topics apply`',
    ]);
  });

  it.each([
    ['acme.inbox', 'message.timestamp.type', 'CreateTime'],
    ['acme.inbox', 'cleanup.policy', 'compact,delete'],
    ['acme.inbox', 'retention.ms', '604800000'],
    ['acme.inbox', 'retention.bytes', '1073741824'],
    ['acme.inbox', 'max.message.bytes', '1048588'],
    ['acme.inbox', 'compression.type', 'producer'],
    ['acme.inbox', 'unclean.leader.election.enable', 'true'],
    ['acme.inbox', 'min.insync.replicas', '1'],
    ['acme.inbox', 'min.insync.replicas', '4'],
    ['acme.ledger', 'message.timestamp.type', 'CreateTime'],
    ['acme.ledger', 'cleanup.policy', 'compact'],
    ['acme.ledger', 'retention.bytes', '1073741824'],
    ['acme.ledger', 'min.insync.replicas', '1'],
    ['acme.snapshots', 'min.insync.replicas', '4'],
    ['acme.snapshots', 'max.message.bytes', '1048588'],
  ])('of %s stops a start: %s=%s', (topic, setting, value) => {
    expect(planWith(topic, { [setting]: value })).toMatchObject([{ step: 'configure', setting, isBreaking: true }]);
  });

  it.each([
    ['acme.dead-letters', 'retention.ms', '86400000'],
    ['acme.inbox', 'cleanup.policy', ''],
    ['acme.snapshots', 'retention.ms', '604800000'],
    ['acme.snapshots', 'min.insync.replicas', '1'],
    ['acme.dead-letters', 'retention.ms', '-1'],
    ['acme.dead-letters', 'max.message.bytes', '1048588'],
  ])('of %s is put right and stops no start: %s=%s', (topic, setting, value) => {
    expect(planWith(topic, { [setting]: value })).toMatchObject([{ step: 'configure', setting, isBreaking: false }]);
  });

  it.each([
    ['max.message.bytes', '33554432'],
    ['compression.type', 'gzip'],
    ['min.insync.replicas', '3'],
  ])('is left where it asks for more: %s=%s', (setting, value) => {
    expect(planWith('acme.inbox', { [setting]: value })).toEqual([]);
  });

  it('is of no matter where the broker does not know it', () => {
    const known = actualTopics().topics.get('acme.inbox')?.settings ?? new Map();
    const settings = new Map([...known].filter(([name]) => name !== 'unclean.leader.election.enable'));
    expect(planTopics(desired, actualTopics({ 'acme.inbox': { settings } }))).toEqual([]);
  });
});

describe('how many replicas must have a record', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 2],
  ])('of %i at least %i', (replicationFactor, least) => {
    expect(leastInsync(replicationFactor)).toBe(least);
  });

  it('is set to what the replicas there are can meet', () => {
    const few = { replicationFactor: 1 };
    const steps = planTopics(
      desiredTopics({ prefix: 'acme', partitionCount: 4, replicationFactor: 1 }),
      actualTopics({ 'acme.inbox': few, 'acme.ledger': few, 'acme.snapshots': few, 'acme.dead-letters': few }),
    );
    expect(steps.map((step) => step.step === 'configure' && [step.setting, step.to, step.isBreaking])).toEqual(
      Array(4).fill(['min.insync.replicas', '1', true]),
    );
  });
});

describe('what only a person can put right', () => {
  it('is another number of partitions of what is spread by it, and of nothing else', () => {
    const changed = {
      'acme.inbox': { partitionCount: 12 },
      'acme.snapshots': { partitionCount: 1 },
      'acme.dead-letters': { partitionCount: 3 },
    };
    const steps = planTopics(desired, actualTopics(changed));
    expect(steps).toMatchObject([
      { step: 'refuse', topic: 'acme.inbox', reason: 'partition_count', isBreaking: true },
      { step: 'refuse', topic: 'acme.snapshots', reason: 'partition_count', isBreaking: true },
    ]);
    expect(steps.map(describeWrong)[0]).toMatch(
      /^acme.inbox has 12 partitions and 4 are configured: .* Set DUEWATCH_PARTITIONS=12 .*DUEWATCH_KAFKA_PREFIX$/,
    );
  });

  it('is too few replicas, which stops no start: who made the topic may have meant it', () => {
    const changed = { 'acme.ledger': { replicationFactor: 2 } };
    expect(planTopics(desired, actualTopics(changed))).toMatchObject([
      { step: 'refuse', topic: 'acme.ledger', reason: 'too_few_replicas', isBreaking: false },
    ]);
  });

  it('is another way to spread tenants', () => {
    const actual = actualTopics({ 'acme.partitioning.fnv1a-utf16.4': undefined });
    const steps = planTopics(desired, { ...actual, partitionings: ['acme.partitioning.murmur2.4'] });
    expect(steps).toMatchObject([{ step: 'refuse', reason: 'other_partitioning', isBreaking: true }]);
    expect(steps.map(describeStep)).toEqual([
      expect.stringMatching(/^cannot put right: the topic acme.partitioning.murmur2.4 says .* this is fnv1a-utf16.4:/),
    ]);
  });

  it('is another number of partitions on record than the topics have', () => {
    const actual = { ...actualTopics(), partitionings: ['acme.partitioning.fnv1a-utf16.2', desired.partitioning.name] };
    expect(planTopics(desired, actual)).toMatchObject([
      { step: 'refuse', topic: 'acme.partitioning.fnv1a-utf16.2', reason: 'other_partitioning' },
    ]);
  });

  it('is a log that has been written, and nothing on record of how tenants are spread', () => {
    const missing = { 'acme.partitioning.fnv1a-utf16.4': undefined };
    const unrecorded = (changed: Readonly<Record<string, Partial<ActualTopic> | undefined>>) =>
      planTopics(desired, { ...actualTopics({ ...missing, ...changed }), partitionings: [] });
    expect(unrecorded({})).toMatchObject([{ step: 'create', topic: 'acme.partitioning.fnv1a-utf16.4' }]);
    expect(unrecorded({ 'acme.snapshots': { isUsed: true } })).toMatchObject([{ step: 'create' }]);
    expect(unrecorded({ 'acme.ledger': { isUsed: true } })).toMatchObject([
      { step: 'refuse', topic: 'acme.partitioning.fnv1a-utf16.4', reason: 'partitioning_unrecorded', isBreaking: true },
    ]);
  });
});
