// What ends, or stands still, while it works: the server of its database, one process of that; the watcher, told to
// stop; a second watcher on the same data.
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ListeningAgent } from './listening-agent.ts';
import { isRepeated, Load } from './load.ts';
import { expectNothingLost } from './nothing-lost.ts';
import { send, treesOf } from './trees.ts';
import { administratorKey, until, Watcher } from './watcher.ts';

/** Enough that every partition and every part of a write is in flight at any time. */
const enough = 40;
const headers = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };

let watcher: Watcher;
let agent: ListeningAgent;
let load: Load;

beforeAll(async () => {
  watcher = await Watcher.create();
  agent = await ListeningAgent.start();
  await watcher.start();
  load = await Load.prepare(watcher, agent.cardUrl);
});

afterAll(async () => {
  await load.abandon();
  await watcher.remove();
  await agent.stop();
});

async function moreTaken(count: number): Promise<void> {
  const target = load.takenCount + count;
  await until(async () => load.takenCount >= target);
}

const factOf = (factKey: string): string =>
  JSON.stringify({ factKey, observedAt: new Date().toISOString(), source: 'tower', subject: { type: 'a', id: 'b' } });

/** The status with which a write of the administrator's is answered now. */
async function statusOfAWrite(): Promise<number> {
  const body = factOf(`administrator-${Date.now()}`);
  return (await fetch(`${watcher.url}/v1/facts`, { method: 'POST', headers, body })).status;
}

/** Goes on until more is taken, and looks at what is left then. */
async function expectItGoesOn(): Promise<void> {
  await moreTaken(enough);
  await load.stop();
  await until(async () => (await fetch(`${watcher.url}/health/ready`)).ok);
  await expectNothingLost(watcher, load, agent.received);
}

it('refuses with 503 while its database’s server is gone, and goes on by itself', async () => {
  load.start();
  await moreTaken(enough);
  process.kill(await watcher.serverPid(), 'SIGKILL');
  await until(async () => (await fetch(`${watcher.url}/v1/overview`, { headers })).status === 503);
  await expectItGoesOn();
});

it('goes on where one process of that server was killed, and all were told to end', async () => {
  load.start();
  await moreTaken(enough);
  const client = await watcher.connect();
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'duewatch-log' LIMIT 1`,
  );
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  process.kill(rows[0]!.pid, 'SIGKILL');
  await ended;
  await expectItGoesOn();
});

it('refuses with 503 while that server stands still for longer than anybody waits, and goes on then', async () => {
  load.start();
  await moreTaken(enough);
  const processes = treesOf([await watcher.serverPid()]);
  for (const pid of processes) send(pid, 'SIGSTOP');
  try {
    expect(await statusOfAWrite()).toBe(503);
  } finally {
    for (const pid of processes) send(pid, 'SIGCONT');
  }
  await expectItGoesOn();
});

it('refuses its data to a second watcher, with the reason, and goes on', async () => {
  load.start();
  await moreTaken(enough);
  const second = await watcher.startInVain();
  expect(second.exitCode).toBe(3);
  expect(second.said).toBe(
    'another Duewatch is running on this data directory: stop it, or give this one a directory of its own\n',
  );
  await moreTaken(enough);
  expect(await statusOfAWrite()).toBe(200);
  await expectItGoesOn();
});

it('answers whoever waits when it is told to stop, ends streams, and leaves nothing', async () => {
  const stream = await fetch(`${watcher.url}/v1/events`, { headers });
  const body = factOf('half');
  const half = request(`${watcher.url}/v1/facts`, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  const answered = once(half, 'response');
  half.flushHeaders();
  await once(half, 'continue');
  half.write(body.slice(0, 20));
  const toldBefore = load.told.length;
  load.start();
  await moreTaken(enough);
  const stopped = watcher.stop();
  await until(async () => load.countOf('ECONNREFUSED') > 0);
  half.end(body.slice(20));
  const [response] = (await answered) as [Parameters<typeof text>[0] & { readonly statusCode: number }];
  expect([response.statusCode, JSON.parse(await text(response))]).toMatchObject([
    200,
    { results: [{ outcome: 'accepted' }] },
  ]);
  expect(await stream.text()).toContain(': connected');
  expect(await stopped).toBe(0);
  // A server that has ended in order takes its pid file along.
  await expect(watcher.serverPid()).rejects.toThrow('ENOENT');
  await watcher.start();
  await expectItGoesOn();
  // Nothing that it had taken had to be told again.
  expect(load.told.slice(toldBefore).filter(isRepeated)).toEqual([]);
});
