// The one Kafka of a jest run, started by the first suite that asks and ended with the run. Suites share it: each gives
// its topics, groups and transactional ids a prefix of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { configuredBrokers } from './provided-broker.ts';

const keeper = join(import.meta.dirname, '../../../../dist/libs/testing/src/kafka/broker.worker.js');

/**
 * `host:port` of its brokers: KAFKA_BROKERS, or one that is started.
 * Throws what was wrong where it could not be started, in each suite that asks.
 */
export async function testBrokers(): Promise<readonly string[]> {
  const configured = configuredBrokers();
  if (configured !== undefined) return configured;
  const run = process.env['DUEWATCH_TEST_DIRECTORY'];
  assert(run !== undefined, 'run through jest, whose configuration has the global set-up');
  const directory = join(run, 'kafka');
  const brokersFile = join(directory, 'brokers');
  if (await isFirst(directory)) {
    const started = await start(directory).catch((error: unknown) => `failed: ${String(error)}`);
    await writeFile(`${brokersFile}.new`, started);
    await rename(`${brokersFile}.new`, brokersFile);
  }
  while (!existsSync(brokersFile)) await sleep(50);
  const brokers = await readFile(brokersFile, 'utf8');
  assert(!brokers.startsWith('failed:'), brokers);
  return brokers.split(',');
}

/** The keeper is a process of its own: the one that asks first may end before the others do. */
async function start(directory: string): Promise<string> {
  assert(existsSync(keeper), 'dist has no broker for tests: npm run build');
  const saidFile = join(directory, 'keeper.out');
  const errorsFile = join(directory, 'keeper.err');
  const keptFor = ['--for', process.env['DUEWATCH_TEST_PROCESS'] ?? '', '--pid-file', join(directory, 'keeper.pid')];
  const wishes = ['--directory', join(directory, 'nodes'), ...keptFor];
  const child = spawn(process.execPath, [keeper, ...wishes], {
    stdio: ['ignore', openSync(saidFile, 'a'), openSync(errorsFile, 'a')],
    detached: true,
  });
  const ended = once(child, 'exit').then(() => true);
  child.unref();
  for (;;) {
    const brokers = /^bootstrap\.servers=(.+)\n/m.exec(await readFile(saidFile, 'utf8'))?.[1];
    if (brokers !== undefined) return brokers;
    if (await Promise.race([ended, sleep(50, false)])) throw new Error(await readFile(errorsFile, 'utf8'));
  }
}

/** True for one caller of all the run's processes. */
async function isFirst(directory: string): Promise<boolean> {
  await mkdir(directory, { recursive: true });
  return writeFile(join(directory, 'asked'), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}
