// The Kafka that other tests stand on: that it is one, and that what its own console consumer says is read right.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Admin, Kafka, logLevel, type Producer } from 'kafkajs';
import { until } from '../dispatch/dispatch-story.ts';
import { consoleConsume } from './console-consumer.ts';
import { type KafkaCluster, startCluster } from './native-cluster.ts';
import { testBrokers } from './test-brokers.ts';

const mostAnswerMs = 20_000;

/** Soon gives up on a broker that holds its connections and answers nothing. */
function clientOf(brokers: readonly string[]): Kafka {
  const retry = { initialRetryTime: 20, maxRetryTime: 500, retries: 60 };
  const options = { connectionTimeout: 1_000, requestTimeout: 2_000, logLevel: logLevel.NOTHING, retry };
  return new Kafka({ brokers: [...brokers], ...options });
}

/**
 * Asks through a client that is used once: one that was in the middle of something with a broker that stood still may
 * never answer again. Throws where it has not within a while.
 */
async function asked<Client extends { connect(): Promise<void>; disconnect(): Promise<void> }, Answer>(
  client: Client,
  ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const late = new AbortController();
  const tooLate = sleep(mostAnswerMs, undefined, { signal: late.signal }).then(() => {
    throw new Error(`no answer within ${mostAnswerMs} ms`);
  });
  try {
    return await Promise.race([client.connect().then(() => ask(client)), tooLate]);
  } finally {
    late.abort();
    tooLate.catch(() => undefined);
    void client.disconnect().catch(() => undefined);
  }
}

/** All values of a topic, read from its beginning until there are as many. */
async function consume(kafka: Kafka, topic: string, count: number): Promise<readonly string[]> {
  const consumer = kafka.consumer({ groupId: `${topic}-readers`, maxWaitTimeInMs: 50 });
  const values: string[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const read = async ({ message }: { message: { value: Buffer | null } }): Promise<void> => {
        values.push(String(message.value));
        if (values.length === count) resolve();
      };
      consumer.run({ eachMessage: read }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return values;
}

describe('the run’s broker', () => {
  let brokers: readonly string[];
  let kafka: Kafka;
  let admin: Admin;
  let topic: string;

  beforeAll(async () => {
    brokers = await testBrokers();
    kafka = clientOf(brokers);
    admin = kafka.admin();
    await admin.connect();
  });

  afterAll(() => admin.disconnect());

  beforeEach(async () => {
    topic = `broker-${randomBytes(6).toString('hex')}`;
    const configEntries = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
    await admin.createTopics({ topics: [{ topic, numPartitions: 2, configEntries }], waitForLeaders: true });
  });

  afterEach(() => admin.deleteTopics({ topics: [topic] }));

  async function withProducer(use: (producer: Producer) => Promise<unknown>, transactionalId?: string): Promise<void> {
    const own = transactionalId === undefined ? {} : { transactionalId, maxInFlightRequests: 1, idempotent: true };
    const producer = kafka.producer({ allowAutoTopicCreation: false, ...own });
    await producer.connect();
    try {
      await use(producer);
    } finally {
      await producer.disconnect();
    }
  }

  it('is the same for each suite that asks', async () => {
    expect(await testBrokers()).toEqual(brokers);
  });

  it('gives back what was written to it', async () => {
    const messages = [{ value: 'one' }, { value: 'two' }, { value: 'three' }];
    await withProducer((producer) => producer.send({ topic, messages: messages.map((m) => ({ ...m, partition: 0 })) }));

    expect(await consume(kafka, topic, 3)).toEqual(['one', 'two', 'three']);
  });

  it('is read to the byte by Kafka’s own console consumer', async () => {
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await withProducer(async (producer) => {
      await producer.send({
        topic,
        messages: [
          {
            partition: 1,
            key: 'a\tkey\n',
            value: everyByte,
            headers: { kind: 'äöü, "quoted" \\ and:so on', void: '' },
          },
          { partition: 1, key: null, value: '{"at":"2026-01-01T00:00:00Z","text":"\\n\\u00e4 ä 日本 \\\\x41"}' },
          { partition: 1, key: 'null', value: null },
          { partition: 0, key: '', value: '' },
        ],
      });
    });

    const records = await consoleConsume({ brokers, topic, isolation: 'read_uncommitted' });

    const stamp = { at: expect.any(Number), timestampType: 'LogAppendTime' };
    expect(records).toEqual([
      { ...stamp, partition: 0, offset: 0n, key: Buffer.of(), value: Buffer.of(), headers: new Map() },
      {
        ...stamp,
        partition: 1,
        offset: 0n,
        key: Buffer.from('a\tkey\n'),
        value: everyByte,
        headers: new Map([
          ['kind', Buffer.from('äöü, "quoted" \\ and:so on')],
          ['void', Buffer.of()],
        ]),
      },
      {
        ...stamp,
        partition: 1,
        offset: 1n,
        key: null,
        value: Buffer.from('{"at":"2026-01-01T00:00:00Z","text":"\\n\\u00e4 ä 日本 \\\\x41"}'),
        headers: new Map(),
      },
      { ...stamp, partition: 1, offset: 2n, key: Buffer.from('null'), value: null, headers: new Map() },
    ]);
  });

  it('is read one partition alone by the console consumer, and an empty one as empty', async () => {
    await withProducer((producer) => producer.send({ topic, messages: [{ partition: 0, value: 'in the first' }] }));

    const [first, second] = await Promise.all(
      [0, 1].map((partition) => consoleConsume({ brokers, topic, partition, isolation: 'read_committed' })),
    );

    expect(first!.map(({ partition, value }) => [partition, String(value)])).toEqual([[0, 'in the first']]);
    expect(second).toEqual([]);
  });

  it('hides what was aborted from readers of what is committed, and from no others', async () => {
    await withProducer(async (producer) => {
      for (const value of ['first', 'aborted', 'second', 'aborted too']) {
        const transaction = await producer.transaction();
        await transaction.send({ topic, messages: [{ partition: 0, value }] });
        await (value.startsWith('aborted') ? transaction.abort() : transaction.commit());
      }
    }, `${topic}-writer`);

    const read = async (isolation: 'read_committed' | 'read_uncommitted'): Promise<readonly string[]> =>
      (await consoleConsume({ brokers, topic, isolation })).map(({ offset, value }) => `${offset} ${String(value)}`);

    // Between them are the markers.
    expect(await read('read_committed')).toEqual(['0 first', '4 second']);
    expect(await read('read_uncommitted')).toEqual(['0 first', '2 aborted', '4 second', '6 aborted too']);
    expect(await consume(kafka, topic, 2)).toEqual(['first', 'second']);
  });

  it('has the console consumer wait for a transaction that is open when it is asked', async () => {
    await withProducer(async (producer) => {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ partition: 0, value: 'open' }] });
      const reading = consoleConsume({ brokers, topic, isolation: 'read_committed' });
      const isOpen = (await consoleConsume({ brokers, topic, isolation: 'read_uncommitted' })).length;
      await transaction.commit();

      expect(isOpen).toBe(1);
      expect((await reading).map(({ value }) => String(value))).toEqual(['open']);
    }, `${topic}-writer`);
  });
});

describe('a cluster of three', () => {
  let cluster: KafkaCluster;
  let stoppedNode: number | undefined;
  const topic = 'replicated';

  beforeAll(async () => {
    cluster = await startCluster({ nodes: 3 });
    await asked(clientOf(cluster.brokers).admin(), (admin) =>
      admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true }),
    );
  });

  afterAll(() => cluster.close());

  /** kafkajs waits for ever for one that it asks first, and that stands still. */
  function answering(): readonly string[] {
    return cluster.brokers.filter((_, index) => index + 1 !== stoppedNode);
  }

  function partition(): Promise<{ leader: number; replicas: number[]; isr: number[] }> {
    return asked(clientOf(answering()).admin(), async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      return topics[0]!.partitions[0]!;
    });
  }

  /** Asks until it is so. */
  async function untilLed(isSo: (now: { leader: number; isr: number[] }) => boolean): Promise<void> {
    await until(() => partition().then(isSo, () => false));
  }

  /** Until it is acknowledged: while a leader is gone or stands still it may take some tries, and be there twice. */
  async function send(value: string): Promise<void> {
    await until(() =>
      asked(clientOf(answering()).producer({ allowAutoTopicCreation: false }), (producer) =>
        producer.send({ topic, acks: -1, messages: [{ value }] }),
      ).then(
        () => true,
        () => false,
      ),
    );
  }

  async function values(): Promise<readonly string[]> {
    const records = await consoleConsume({ brokers: cluster.brokers, topic, isolation: 'read_committed' });
    return [...new Set(records.map(({ value }) => String(value)))];
  }

  it('holds each record three times', async () => {
    expect((await partition()).replicas.toSorted()).toEqual([1, 2, 3]);
  });

  it('goes on without the broker that led, which comes back with what it missed', async () => {
    await send('before');
    const { leader } = await partition();
    await cluster.kill(leader);
    await send('without it');
    await untilLed((now) => now.leader !== leader);

    expect(await values()).toEqual(['before', 'without it']);

    await cluster.start(leader);
    await untilLed(({ isr }) => isr.length === 3);
    const others = [1, 2, 3].filter((node) => node !== leader);
    await cluster.kill(others[0]!);
    await send('with it again');

    expect(await values()).toEqual(['before', 'without it', 'with it again']);
    await cluster.start(others[0]!);
    await untilLed(({ isr }) => isr.length === 3);
  });

  it('goes on without a broker that is stopped for a while', async () => {
    const written = await values();
    const { leader } = await partition();
    cluster.stop((stoppedNode = leader));
    await send('while it stands still');
    cluster.cont(leader);
    stoppedNode = undefined;
    await untilLed(({ isr }) => isr.length === 3);

    expect(await values()).toEqual([...written, 'while it stands still']);
  });

  it('says which node there is not', async () => {
    await expect(cluster.kill(4)).rejects.toThrow('there is no node 4 of 3');
  });
});
