// The limit: what the client alone does here, reading facts of 305 bytes, parsing them, and writing one record each in
// transactions of 2,000.
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { printRow, rate } from '../../embedded/report.ts';
import type { KafkaBench } from '../kafka-bench.ts';

const FACT_BYTES = 305;
const A_TRANSACTION = 2_000;
const ROUNDS = 3;
/** A run on a machine that is busier than this says nothing. */
const VOID_BELOW = 25_000;

/** Records a second, the median of three. */
export async function measureRawLoop(bench: KafkaBench): Promise<number> {
  const kafka = new Kafka({
    brokers: [...bench.brokers],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 10 },
  });
  const count = bench.bodies.scaled(200_000, A_TRANSACTION);
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rates.push(await rawLoop(kafka, `raw-${round}`, count));
  const median = rates.sort((a, b) => a - b)[1] ?? NaN;
  printRow({
    what: `raw loop of the client, ${A_TRANSACTION} a transaction`,
    reached: rate(median),
    note: median < VOID_BELOW ? 'VOID: the machine is busy' : rates.map(rate).join(' '),
  });
  return median;
}

async function rawLoop(kafka: Kafka, name: string, count: number): Promise<number> {
  const [from, to] = [`${name}-from`, `${name}-to`];
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [from, to].map((topic) => ({ topic, numPartitions: 1 })) });
  await admin.disconnect();
  const fact = {
    factKey: 'shipment.departure:PA-26-00000000',
    observedAt: '2026-09-01T00:00:00Z',
    source: 'carrier',
    pad: '',
  };
  fact.pad = 'x'.repeat(FACT_BYTES - JSON.stringify(fact).length);
  const value = JSON.stringify(fact);
  const filler = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  await filler.connect();
  for (let sent = 0; sent < count; sent += A_TRANSACTION) {
    await filler.send({ topic: from, messages: Array.from({ length: A_TRANSACTION }, () => ({ value })) });
  }
  await filler.disconnect();

  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    transactionalId: name,
    idempotent: true,
    maxInFlightRequests: 1,
  });
  const consumer = kafka.consumer({ groupId: name, maxWaitTimeInMs: 100, maxBytesPerPartition: 4 * 1024 * 1024 });
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topic: from, fromBeginning: true });
  let done = 0;
  let startedAt = 0;
  await new Promise<void>((resolve, reject) => {
    const eachBatch = async ({
      batch,
    }: {
      batch: { messages: readonly { value: Buffer | null; offset: string }[] };
    }) => {
      startedAt ||= performance.now();
      for (let at = 0; at < batch.messages.length; at += A_TRANSACTION) {
        const slice = batch.messages.slice(at, at + A_TRANSACTION);
        const messages = slice.map((message) => ({
          value: JSON.stringify({ v: 1, fact: JSON.parse(String(message.value)) as unknown }),
        }));
        const transaction = await producer.transaction();
        await transaction.send({ topic: to, messages });
        const next = String(Number(slice.at(-1)?.offset) + 1);
        await transaction.sendOffsets({
          consumerGroupId: name,
          topics: [{ topic: from, partitions: [{ partition: 0, offset: next }] }],
        });
        await transaction.commit();
        done += slice.length;
      }
      if (done >= count) resolve();
    };
    consumer.run({ autoCommit: false, eachBatch }).catch(reject);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  await consumer.disconnect();
  await producer.disconnect();
  return count / seconds;
}
