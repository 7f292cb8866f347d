// Two watchers on one PostgreSQL by mistake: whoever has every partition for itself ends once another serves one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until, Watcher } from './watcher.ts';

let first: Watcher;
let second: Watcher;

beforeAll(async () => {
  first = await Watcher.create();
  second = await Watcher.create();
});
afterAll(async () => {
  await second.remove();
  await first.remove();
});

/** Where the first's own server is. */
async function databaseUrl(): Promise<string> {
  const password = await readFile(join(first.dataDirectory, 'postgres.password'), 'utf8');
  const pidFile = await readFile(join(first.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
  return `postgresql://duewatch:${encodeURIComponent(password.trim())}@127.0.0.1:${pidFile.split('\n')[3]}/duewatch`;
}

it('the one that is taken over ends with 3', async () => {
  const started = await first.startHeld();
  await until(async () => (await fetch(`${first.url}/health/ready`)).ok);
  await second.startHeld({ DUEWATCH_DATABASE_URL: await databaseUrl() });
  await until(async () => (await fetch(`${second.url}/health/ready`)).ok);
  // Who decides nothing is not in the way: it learns of the other by its next record.
  const fact = { factKey: 'k', observedAt: new Date().toISOString(), source: 'tower' };
  await first.call('POST', '/v1/facts', fact).catch(() => undefined);
  expect(await started.ended).toBe(3);
});
