// `npm start -- --demo` as a newcomer meets it: lapses arrive at the agent and in the record, and one Ctrl-C ends it all.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Spawned, spawnNode } from '#runtime';
import { until } from './watcher.ts';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

let dataDirectory: string;
let demo: Spawned;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'duewatch-demo-'));
});

afterAll(async () => {
  await demo.stop(15_000);
  await rm(dataDirectory, { recursive: true, force: true });
});

it('brings lapses to the agent and to whoever opens its page, and ends whole', async () => {
  const lines: string[] = [];
  const settings = { DUEWATCH_DATA_DIR: dataDirectory, DUEWATCH_PORT: '0', DUEWATCH_LOG_LEVEL: 'error' };
  demo = spawnNode(main, ['up', '--demo'], (line) => lines.push(line), settings);
  const page = demo.firstLine((line) => /^The demo's page: (?<url>\S+)\/#key=(?<key>\S+)$/.exec(line)?.groups);
  const agent = demo.firstLine((line) => /^The agent's lapses: (\S+)$/.exec(line)?.[1]);
  const [{ url = '', key = '' }, agentLapses] = await Promise.all([page, agent]);

  await until(async () => ((await (await fetch(agentLapses)).json()) as unknown[]).length > 0);
  const answer = await fetch(`${url}/v1/lapses`, { headers: { authorization: `Bearer ${key}` } });
  const { items } = (await answer.json()) as { readonly items: readonly { readonly agentId: string }[] };
  expect(items[0]).toMatchObject({ agentId: 'flights', kind: expect.stringMatching(/^flight\./) });
  expect(lines).toContainEqual(expect.stringMatching(/flights booked, \d+ facts told/));

  demo.kill('SIGINT');
  expect(await demo.ended).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  await expect(fetch(agentLapses)).rejects.toThrow();
});
