// Feeds on a real Kafka: every record is read by one of those who share them, from where the last one has reported.
import type { FeedMembership, FeedRecord } from '#event-log';
import { systemClock } from '#runtime';
import {
  type Compression,
  consoleConsume,
  consoleProduce,
  makeTopics,
  openTestFeeds,
  testBrokers,
  type TestFeeds,
  type TestTopics,
  until,
} from '#testing';
import { topicNames } from '../topic-names.ts';
import { KafkaFeeds } from './kafka-feeds.ts';

interface Read {
  readonly topic: string;
  readonly partition: number;
  readonly record: FeedRecord;
}

interface Reader {
  readonly read: readonly Read[];
  readonly values: readonly string[];
  readonly waiting: readonly string[];
  readonly faults: readonly string[];
  leave(): Promise<void>;
}

describe('feeds', () => {
  let brokers: readonly string[];
  let topics: TestTopics;
  let feeds: TestFeeds;
  const tenants = new Set<string>();
  const opened: FeedMembership[] = [];

  beforeAll(async () => (brokers = await testBrokers()));

  beforeEach(async () => {
    topics = await makeTopics(brokers, 1);
    feeds = await openTestFeeds(topics.address);
    tenants.clear();
    tenants.add('acme').add('globex');
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((membership) => membership.leave()));
    await feeds.close();
    await topics.drop();
  });

  /** A process that notes what it reads, and counts it as reported unless it is told to forget that. */
  function start({ isForgetful = false, deployment = 'one' } = {}): Reader {
    const read: Read[] = [];
    const faults: string[] = [];
    let waiting: readonly string[] = [];
    const { address } = topics;
    const report = (fault: unknown): number => faults.push(String(fault));
    const membership = new KafkaFeeds({ address, deployment, clock: systemClock, refreshMs: 500, report }).join({
      tenants: async () => tenants,
      waiting: (names) => (waiting = names),
      serve: async (feed) => {
        const { topic, partition } = feed;
        for (let run = await feed.read(); run !== undefined; run = await feed.read()) {
          for (const record of run.records) read.push({ topic, partition, record });
          const parked = run.records.filter(({ value }) => value === null);
          if (parked.length > 0) {
            await feed.park(parked.map(({ offset }) => ({ offset, reason: 'no_value', message: 'it has no value' })));
          }
          if (!isForgetful) feed.reported(run.next);
        }
      },
    });
    opened.push(membership);
    return {
      ...{ read, faults },
      get values() {
        return read.map(({ record }) => String(record.value));
      },
      get waiting() {
        return waiting;
      },
      leave: () => membership.leave(),
    };
  }

  const groupOf = (deployment: string): string => `${topics.address.prefix}-${deployment}-facts`;

  it('are read from their beginning, in order, and from where they were reported the next time', async () => {
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a', 'b']);
    const first = start();
    await until(() => first.values.length === 2);
    await first.leave();
    expect(await feeds.positions(groupOf('one'), topic)).toEqual([2]);
    await feeds.write(topic, ['c']);
    const second = start();
    await until(() => second.values.length === 1);
    expect([...first.values, ...second.values]).toEqual(['a', 'b', 'c']);
  });

  it('are read again where what was read was not reported', async () => {
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a']);
    const first = start({ isForgetful: true });
    await until(() => first.values.length === 1);
    await first.leave();
    const second = start();
    await until(() => second.values.length === 1);
    expect(second.values).toEqual(['a']);
  });

  it('are kept reported while the process goes on', async () => {
    const topic = await feeds.make('acme');
    start();
    await feeds.write(topic, ['a', 'b']);
    await until(async () => (await feeds.positions(groupOf('one'), topic))[0] === 2);
  });

  it('are found while the process runs, and further partitions of them', async () => {
    const reader = start();
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a']);
    await until(() => reader.values.includes('a'));
    await feeds.grow(topic, 3);
    // The client drops what it is told to write to a partition that it does not know of yet, and says that it is written.
    await until(async () => {
      await feeds.write(topic, ['b'], 2);
      return reader.read.some(({ partition }) => partition === 2);
    });
  });

  it('wait for their tenant, and open none', async () => {
    const topic = await feeds.make('initech');
    const misnamed = await feeds.make('Not_a_tenant');
    tenants.add('Not_a_tenant');
    await feeds.write(topic, ['early']);
    const reader = start();
    await until(() => reader.waiting.length === 2);
    expect(reader.waiting).toEqual([misnamed, topic].sort());
    expect(reader.read).toEqual([]);
    tenants.add('initech');
    await until(() => reader.values.includes('early'));
    expect(reader.waiting).toEqual([misnamed]);
  });

  it('are shared evenly, and taken over at once from one who leaves', async () => {
    const topic = await feeds.make('acme', 4);
    const [first, second] = [start(), start()];
    let round = 0;
    const isSpread = (): boolean =>
      [first, second].every(({ read }) => new Set(read.map((r) => r.partition)).size >= 2);
    await until(async () => {
      round += 1;
      for (let partition = 0; partition < 4; partition += 1)
        await feeds.write(topic, [`${round}/${partition}`], partition);
      return isSpread();
    });
    await first.leave();
    for (let partition = 0; partition < 4; partition += 1) await feeds.write(topic, [`last/${partition}`], partition);
    await until(() => second.values.filter((value) => value.startsWith('last/')).length === 4);
    const all = new Set([...first.values, ...second.values]);
    expect(all.size).toBe(round * 4 + 4);
  });

  it('are not shared with another deployment', async () => {
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a']);
    const [one, two] = [start(), start({ deployment: 'two' })];
    await until(() => one.values.length === 1 && two.values.length === 1);
  });

  it('show nothing of what was aborted, and go on past it', async () => {
    const topic = await feeds.make('acme');
    await feeds.abort(topic, ['aborted']);
    await feeds.write(topic, ['a']);
    await feeds.abort(topic, ['aborted too']);
    const reader = start();
    await until(async () => (await feeds.positions(groupOf('one'), topic))[0] === 5);
    expect(reader.values).toEqual(['a']);
  });

  it.each<Compression>(['gzip', 'snappy', 'lz4', 'zstd'])(
    'are read as Kafka’s own client compresses them: %s',
    async (codec) => {
      const topic = await feeds.make('acme');
      const lines = Array.from({ length: 2_000 }, (_, index) => `${index} ${'like the one before '.repeat(10)}`);
      await consoleProduce(brokers, topic, lines, codec);
      const reader = start();
      await until(() => reader.values.length >= lines.length);
      expect(reader.values).toEqual(lines);
      expect(reader.read.filter(({ record }) => record.unreadable !== undefined)).toEqual([]);
    },
  );

  it('tell of a batch that cannot be read, whose neighbours are', async () => {
    const topic = await feeds.make('acme', 1, { 'max.message.bytes': String(2 ** 24) });
    await feeds.write(topic, ['before']);
    // Of 40 MB, in a batch of a few kB.
    const huge = 'x'.repeat(8_000_000);
    await feeds.compressed(topic, [huge, huge, huge, huge, huge]);
    await feeds.write(topic, ['after']);
    const reader = start();
    await until(() => reader.values.includes('after'));
    expect(reader.read.map(({ record }) => record.unreadable?.lastOffset ?? String(record.value))).toEqual([
      'before',
      5,
      'after',
    ]);
    expect(reader.read[1]?.record.unreadable?.reason).toMatch(/larger than 16777216|Cannot create a Buffer/);
  });

  it('say where what was not reported is gone, and go on from what there is', async () => {
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a', 'b', 'c']);
    const first = start();
    await until(async () => (await feeds.positions(groupOf('one'), topic))[0] === 3);
    await first.leave();
    await feeds.write(topic, ['d', 'e']);
    await feeds.letGo(topic, 4);
    const second = start();
    await until(() => second.values.length === 1);
    expect(second.values).toEqual(['e']);
    expect(second.faults.join()).toContain('from 3 to 3 was let go of before it was reported');
  });

  it('keep by reference alone, in the dead letters, what is parked', async () => {
    const topic = await feeds.make('acme');
    await feeds.write(topic, ['a', null, 'b']);
    const reader = start();
    await until(async () => (await feeds.positions(groupOf('one'), topic))[0] === 3);
    expect(reader.values).toEqual(['a', 'null', 'b']);
    const letters = await consoleConsume({
      ...{ brokers, topic: topicNames(topics.address).deadLetters, isolation: 'read_committed' },
    });
    expect(letters.map(({ value }) => JSON.parse(String(value)) as unknown)).toEqual([
      {
        ...{ v: 1, topic, partition: 0, offset: 1, reason: 'no_value', message: 'it has no value' },
        parkedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });
});
