// Writes to a topic with Kafka's own console producer: compressed as the clients of most who write there compress.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { requireJava } from './java.ts';
import { kafkaClassPath } from './kafka-jars.ts';

const java = ['-Xmx256m', '-Xshare:auto', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

export type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

/** A record a line, all in one batch where they fit. Throws what the producer said where it failed. */
export async function consoleProduce(
  brokers: readonly string[],
  topic: string,
  lines: readonly string[],
  compression: Compression,
): Promise<void> {
  await requireJava();
  const parameters = ['--bootstrap-server', brokers.join(), '--topic', topic, '--compression-codec', compression];
  const batching = ['--timeout', '500', '--max-partition-memory-bytes', '1000000'];
  const child = spawn(
    'java',
    [...java, '-cp', await kafkaClassPath(), 'org.apache.kafka.tools.ConsoleProducer', ...parameters, ...batching],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || /ERROR/.test(said))
    throw new Error(`the console producer ended with ${code ?? 'a signal'}:\n${said}`);
}
