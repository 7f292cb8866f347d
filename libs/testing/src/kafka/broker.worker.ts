// The process that keeps a Kafka for tests: started by scripts/kafka-broker.mjs for a person, and by the first suite of a
// jest run that asks for one. Prints `bootstrap.servers=host:port,…` once it answers, and ends all of it on a signal or
// when the process it is kept for has ended. It must leave nothing running.
import { rmSync, writeFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { type ProvidedBroker, provideBroker } from './provided-broker.ts';

const lookEveryMs = 500;
const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

interface Wishes {
  readonly nodes: number;
  /** Where the nodes are put. */
  readonly directory: string | undefined;
  /** Ends when this process has. */
  readonly keptFor: number | undefined;
  /** Holds our process id for as long as we run. */
  readonly pidFile: string | undefined;
}

function readWishes(): Wishes {
  const { values } = parseArgs({
    options: {
      nodes: { type: 'string' },
      directory: { type: 'string' },
      for: { type: 'string' },
      'pid-file': { type: 'string' },
    },
  });
  const nodes = Number(values.nodes ?? 1);
  if (!Number.isInteger(nodes) || nodes < 1 || nodes > 9) throw new Error('--nodes takes a number from 1 to 9');
  const keptFor = values.for === undefined ? undefined : Number(values.for);
  return { nodes, directory: values.directory, keptFor, pidFile: values['pid-file'] };
}

async function keep({ nodes, directory, keptFor, pidFile }: Wishes): Promise<void> {
  if (pidFile !== undefined) {
    writeFileSync(pidFile, String(process.pid));
    process.on('exit', () => rmSync(pidFile, { force: true }));
  }
  const started: ProvidedBroker[] = [];
  let isEnding = false;
  const end = async (): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    // One that is still being started is not waited for: its nodes end with this process.
    await Promise.all(started.map((broker) => broker.close()));
    process.exit();
  };
  for (const signal of signals) process.on(signal, () => void end());
  setInterval(() => {
    if (keptFor !== undefined && !isRunning(keptFor)) void end();
  }, lookEveryMs);
  const provided = await provideBroker(nodes, directory);
  started.push(provided);
  say(provided);
}

function say({ brokers, origin }: ProvidedBroker): void {
  process.stdout.write(`bootstrap.servers=${brokers.join()}\n`);
  process.stderr.write(`Kafka from ${origin}; Ctrl-C ends it\n`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

try {
  await keep(readWishes());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
