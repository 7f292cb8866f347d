// Agents' cards on the command line: what is wrong with one, the versions of one, and reading it now.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CardServer, exampleCard, startCardServer } from '#testing';
import { administratorKey, Watcher } from './watcher.ts';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

let folder: string;
let cards: CardServer;
let watcher: Watcher | undefined;

beforeAll(async () => {
  [folder, cards] = await Promise.all([mkdtemp(join(tmpdir(), 'duewatch-cards-')), startCardServer()]);
});

afterAll(async () => {
  await Promise.all([watcher?.remove(), cards.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

function duewatch(parameters: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const options = { env: { ...process.env, DUEWATCH_OUTBOUND_ALLOW: '', ...environment }, cwd: folder };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...parameters], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stdout + stderr }),
    );
  });
}

async function lint(card: unknown): Promise<Ended> {
  const file = join(folder, 'card.json');
  await writeFile(file, typeof card === 'string' ? card : JSON.stringify(card));
  return duewatch(['card', 'lint', file]);
}

it('a card is linted: 0 without an error, 1 with one, each finding with its paragraph', async () => {
  expect(await lint(exampleCard())).toEqual({ code: 0, said: 'nothing is wrong\n' });
  expect(await lint(exampleCard({ keepsTime: undefined }))).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^warning {2}§6\.1 {2}keeps_time_missing/),
  });
  expect(await lint(exampleCard({ lapseSkill: 'nowhere' }))).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^error {2}§6\.1 {2}lapse_skill_unknown .*lapseSkill[^]*has an error\n$/),
  });
  expect(await lint('{"name":')).toMatchObject({ code: 2, said: expect.stringMatching(/card\.json is no card/) });
  const byUrl = await duewatch(['card', 'lint', cards.url, '--json']);
  expect(byUrl).toEqual({ code: 0, said: '' });
  const guarded = await duewatch(['card', 'lint', cards.url], { DUEWATCH_OUTBOUND_ALLOW: 'none' });
  expect(guarded).toMatchObject({ code: 3, said: expect.stringMatching(/DUEWATCH_OUTBOUND_ALLOW may list it/) });
});

it('an agent’s card is read now, and its versions are listed', async () => {
  watcher = await Watcher.create(folder);
  await watcher.start();
  const environment = { DUEWATCH_URL: watcher.url, DUEWATCH_KEY: administratorKey };
  const headers = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ cardUrl: cards.url });
  const registered = await fetch(`${watcher.url}/v1/agents/booking`, { method: 'PUT', headers, body });
  expect(registered.status).toBe(200);
  expect(await duewatch(['agents', 'read', 'booking'], environment)).toEqual({
    code: 0,
    said: 'unchanged, version 1\n',
  });
  cards.card = exampleCard({ kinds: [] });
  expect(await duewatch(['agents', 'read', 'booking'], environment)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^changed, version 2\nwarning {2}§8 {2}kind_dropped/),
  });
  expect(await duewatch(['agents', 'cards', 'booking'], environment)).toMatchObject({
    code: 0,
    said: expect.stringMatching(
      /^2 {2}\S+ {2}kindsDropped: shipment\.departure\n {2}warning kind_dropped\n1 {2}\S+ {2}the first/,
    ),
  });
  expect(await duewatch(['agents', 'cards', 'nobody'], environment)).toMatchObject({ code: 1 });
  expect(await duewatch(['agents', 'read', 'nobody'], environment)).toMatchObject({ code: 1 });
});
