// What ends while it works: the watcher, killed; the server of its database, killed; the watcher, told to stop.
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Spawned, spawnNode } from '#runtime';
import { Load, type Taken } from './load.ts';
import { administratorKey, until, Watcher } from './watcher.ts';

interface Row {
  readonly expectationId: string;
  readonly status: string;
  readonly lapses: readonly { readonly lapse: string; readonly messageId: string }[];
}

const agentFile = new URL('../../dist/examples/flights/agent.js', import.meta.url).pathname;
/** Enough that every partition and every part of a write is in flight at any time. */
const enough = 40;

let watcher: Watcher;
let agent: Spawned;
let agentUrl: string;
let load: Load;

beforeAll(async () => {
  watcher = await Watcher.create();
  agent = spawnNode(agentFile, ['0'], () => undefined);
  agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);
  await watcher.start();
  load = await Load.prepare(watcher, `${agentUrl}/.well-known/agent-card.json`);
}, 120_000);

afterAll(async () => {
  await load.abandon();
  await watcher.remove();
  await agent.stop();
}, 120_000);

async function moreTaken(count: number): Promise<void> {
  const target = load.takenCount + count;
  await until(async () => load.takenCount >= target);
}

async function expectationsOf({ key }: Taken): Promise<readonly Row[]> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' };
  const lines = await watcher.callText('GET', '/v1/expectations', undefined, headers);
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

async function factKeysOf({ key }: Taken): Promise<readonly string[]> {
  const factKeys: string[] = [];
  let next: string | undefined;
  do {
    const cursor = next === undefined ? '' : `&cursor=${next}`;
    const page = await watcher.callText('GET', `/v1/facts?limit=1000${cursor}`, undefined, {
      authorization: `Bearer ${key}`,
    });
    const read = JSON.parse(page) as { items: { factKey: string }[]; next?: string };
    factKeys.push(...read.items.map(({ factKey }) => factKey));
    next = read.next;
  } while (next !== undefined);
  return factKeys;
}

/** Every write that was taken is in the record, once; what never departed lapsed, once, and its agent knows. */
async function expectAllThereOnce(): Promise<void> {
  for (const taken of load.taken) {
    const isDone = ({ status, lapses }: Row): boolean => status !== 'open' || lapses.length > 0;
    let rows: readonly Row[] = [];
    await until(async () => {
      rows = await expectationsOf(taken);
      return rows.length >= taken.expectationIds.length && rows.every(isDone);
    });
    expect(rows.map(({ expectationId }) => expectationId).sort()).toEqual([...taken.expectationIds].sort());
    expect([...(await factKeysOf(taken))].sort()).toEqual([...taken.factKeys].sort());
    const never = rows.filter(({ status }) => status === 'open');
    expect(never.map(({ lapses }) => lapses.map(({ lapse }) => lapse))).toEqual(never.map(() => ['overdue']));
    const sent = never.flatMap(({ lapses }) => lapses.map(({ messageId }) => messageId));
    await until(async () => {
      const told = (await (await fetch(`${agentUrl}/lapses`)).json()) as readonly { messageId: string }[];
      const known = new Set(told.map(({ messageId }) => messageId));
      return sent.every((messageId) => known.has(messageId));
    });
  }
}

it('has every write that it took, once, after it was killed; what fell due meanwhile lapses then', async () => {
  load.start();
  await moreTaken(enough);
  await watcher.kill();
  await until(async () => load.countOf('ECONNREFUSED') > 0);
  await watcher.start();
  await moreTaken(enough);
  await load.stop();
  await expectAllThereOnce();
}, 120_000);

it('refuses with 503 while its database’s server is gone, and goes on by itself', async () => {
  load.start();
  await moreTaken(enough);
  process.kill(await watcher.serverPid(), 'SIGKILL');
  const headers = { authorization: `Bearer ${administratorKey}` };
  await until(async () => (await fetch(`${watcher.url}/v1/overview`, { headers })).status === 503);
  await moreTaken(enough);
  await load.stop();
  await until(async () => (await fetch(`${watcher.url}/health/ready`)).ok);
  await expectAllThereOnce();
}, 120_000);

it('answers whoever waits when it is told to stop, ends streams, and leaves nothing', async () => {
  const headers = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };
  const stream = await fetch(`${watcher.url}/v1/events`, { headers });
  const body = JSON.stringify({
    factKey: 'a:b',
    observedAt: new Date().toISOString(),
    source: 'tower',
    subject: { type: 'a', id: 'b' },
  });
  const half = request(`${watcher.url}/v1/facts`, { method: 'POST', headers: { ...headers, expect: '100-continue' } });
  const answered = once(half, 'response');
  half.flushHeaders();
  await once(half, 'continue');
  half.write(body.slice(0, 20));
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
  await load.stop();
  await expectAllThereOnce();
}, 120_000);
