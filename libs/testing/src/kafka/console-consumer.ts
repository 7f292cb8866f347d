// What a topic holds, as Kafka's own console consumer prints it: what we read ourselves is compared with this, so nothing
// of the product may have a hand in it.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { requireJava } from './java.ts';
import { kafkaClassPath } from './kafka-jars.ts';
import { type PrintedRecord, printing, readPrinted } from './printed-record.ts';

const run = promisify(execFile);
const java = ['-Xmx256m', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
const standsStillMs = 60_000;

export interface Consumption {
  readonly brokers: readonly string[];
  readonly topic: string;
  /** One partition of it; else all. All are read in any case: the tool knows a group or a partition, not both. */
  readonly partition?: number;
  readonly isolation: 'read_committed' | 'read_uncommitted';
}

/**
 * Every record that stood in the topic when this was called, by partition and offset. Under `read_committed` it waits
 * until the transactions that were open by then have ended.
 * Throws what the consumer said where it failed, or where nothing moved for a minute.
 */
export async function consoleConsume(consumption: Consumption): Promise<readonly PrintedRecord[]> {
  await requireJava();
  const classPath = await kafkaClassPath();
  const ends = await readEnds(consumption, classPath);
  if ([...ends.values()].every((end) => end === 0n)) return [];
  const admin = new Kafka({ brokers: [...consumption.brokers], logLevel: logLevel.NOTHING }).admin();
  const group = `console-${randomBytes(8).toString('hex')}`;
  const consumer = new ConsoleConsumer(consumption, group, classPath);
  try {
    await admin.connect();
    await untilRead(admin, consumer, { group, topic: consumption.topic, ends });
  } finally {
    await consumer.end();
    await admin.disconnect();
  }
  return consumer
    .printed()
    .filter(({ partition, offset }) => offset < (ends.get(partition) ?? 0n))
    .sort((a, b) => a.partition - b.partition || Number(a.offset - b.offset));
}

/** The high watermark of each partition asked for. Kafka's own tool again: kafkajs stops before an open transaction. */
async function readEnds(
  { brokers, topic, partition }: Consumption,
  classPath: string,
): Promise<ReadonlyMap<number, bigint>> {
  const parameters = ['--bootstrap-server', brokers.join(), '--topic', topic, '--time', 'latest'];
  const tool = 'org.apache.kafka.tools.GetOffsetShell';
  const { stdout } = await run('java', [...java, '-cp', classPath, tool, ...parameters]);
  const ends = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([name, number]) => name === topic && (partition === undefined || Number(number) === partition))
    .map(([, number, end]) => [Number(number), BigInt(end!)] as const);
  if (ends.length === 0) throw new Error(`${topic} has no partition ${partition ?? 'at all'}`);
  return new Map(ends);
}

/** The markers of transactions take offsets and are not printed: only the position it commits says how far it has come. */
async function untilRead(
  admin: Admin,
  consumer: ConsoleConsumer,
  { group, topic, ends }: { group: string; topic: string; ends: ReadonlyMap<number, bigint> },
): Promise<void> {
  let before = '';
  let stillSince = Date.now();
  for (;;) {
    const { positions, told } = await readPositions(admin, group, topic);
    // What was never committed is -1; an empty partition needs no reading.
    if ([...ends].every(([partition, end]) => end === 0n || (positions.get(partition) ?? -1n) >= end)) return;
    const now = `${consumer.lineCount} lines, ${told}`;
    if (now !== before) stillSince = Date.now();
    before = now;
    if (!consumer.isRunning || Date.now() > stillSince + standsStillMs) {
      const wrong = consumer.isRunning ? `has not moved for ${standsStillMs / 1000} s` : 'ended';
      throw new Error(`the console consumer ${wrong} at ${now} of ${[...ends.values()].join()}:\n${consumer.errors}`);
    }
    await sleep(50);
  }
}

/** What a group has committed. While the group's coordinator moves nothing can be known of it, which is told. */
async function readPositions(
  admin: Admin,
  group: string,
  topic: string,
): Promise<{ readonly positions: ReadonlyMap<number, bigint>; readonly told: string }> {
  try {
    const committed = (await admin.fetchOffsets({ groupId: group, topics: [topic] }))[0]?.partitions ?? [];
    const positions = new Map(committed.map((one) => [one.partition, BigInt(one.offset)]));
    return { positions, told: `positions ${[...positions.values()].join()}` };
  } catch (error) {
    return { positions: new Map(), told: String(error) };
  }
}

/** The process, and what it has printed. */
class ConsoleConsumer {
  errors = '';
  readonly #lines: string[] = [];
  readonly #process;
  readonly #ended: Promise<unknown>;

  constructor({ brokers, topic, isolation }: Consumption, group: string, classPath: string) {
    const settings = {
      'auto.commit.interval.ms': 50,
      'fetch.max.wait.ms': 50,
      'allow.auto.create.topics': false,
    };
    const parameters = [
      ...['--bootstrap-server', brokers.join(), '--topic', topic, '--group', group, '--from-beginning'],
      ...['--isolation-level', isolation],
      ...Object.entries(settings).flatMap(([name, value]) => ['--command-property', `${name}=${value}`]),
      ...Object.entries(printing).flatMap(([name, value]) => ['--formatter-property', `${name}=${value}`]),
    ];
    const tool = 'org.apache.kafka.tools.consumer.ConsoleConsumer';
    this.#process = spawn('java', [...java, '-cp', classPath, tool, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    const lines = createInterface({ input: this.#process.stdout }).on('line', (line) => this.#lines.push(line));
    this.#ended = Promise.all([once(this.#process, 'close'), once(lines, 'close')]);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  /** Asks it to end, upon which it says how many records it has printed; resolves with all of them read. */
  async end(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#ended;
  }

  /** What it has printed, once it has ended; throws where it says that it has printed more or less. */
  printed(): PrintedRecord[] {
    const count = Number(/Processed a total of (\d+) messages/.exec(this.errors)?.[1]);
    if (count !== this.#lines.length) {
      throw new Error(`the console consumer printed ${this.#lines.length} lines and says:\n${this.errors}`);
    }
    return this.#lines.map(readPrinted);
  }
}
