// `duewatch fake-agent` as whoever tests a client runs it, and `duewatch agents` at a watcher that calls it.
import { fileURLToPath } from 'node:url';
import { spawnNode, type Spawned } from '#runtime';
import { administratorKey, until, Watcher } from './watcher.ts';

const main = fileURLToPath(new URL('../../dist/apps/cli/src/main.js', import.meta.url));
const uri = 'https://rsaxb.com/a2a/expectations/v1';

let watcher: Watcher;
beforeAll(async () => {
  watcher = await Watcher.create();
  await watcher.start();
});
afterAll(() => watcher.remove(), 120_000);

interface Fake extends Spawned {
  readonly url: string;
  readonly lines: readonly string[];
}

async function fakeAgent(...switches: readonly string[]): Promise<Fake> {
  const lines: string[] = [];
  const spawned = spawnNode(main, ['fake-agent', ...switches], (line) => lines.push(line));
  const url = await spawned.firstLine((line) => /^listening (http\S+)$/.exec(line)?.[1]);
  return { ...spawned, url, lines };
}

async function agents(...parameters: readonly string[]): Promise<[code: number | null, said: string]> {
  const lines: string[] = [];
  const environment = { DUEWATCH_URL: watcher.url, DUEWATCH_KEY: administratorKey };
  const code = await spawnNode(main, ['agents', ...parameters], (line) => lines.push(line), environment).ended;
  return [code, lines.join('\n')];
}

interface Shown {
  readonly items: readonly {
    readonly expectationId: string;
    readonly state: string;
    readonly possibleDuplicate?: true;
  }[];
}

it('it is registered like any agent, and its own store has what it was sent: once, or as often as it cannot tell', async () => {
  const fake = await fakeAgent('--http-json', '--drop-after-accept', '1', '--no-list');
  await watcher.call('PUT', '/v1/agents/fake', { cardUrl: fake.url });
  const expectation = {
    ...{
      expectationId: 'e1',
      kind: 'shipment.departure',
      subject: { type: 'shipment', id: 'S1' },
      expects: 'it departs',
    },
    ...{
      satisfiedBy: { factKey: 'departed:S1' },
      dueAt: new Date(Date.now() - 1_000).toISOString(),
      basis: 'observed',
    },
  };
  const artifacts = [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations: [expectation] } } }];
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  await watcher.call('POST', '/v1/observations', { agentId: 'fake', task });
  await until(async () => {
    const { items } = (await watcher.call('GET', '/v1/dispatches')) as Shown;
    return items.some(
      ({ state, possibleDuplicate }) => /submitted|concluded/.test(state) && possibleDuplicate === true,
    );
  });
  const store = (await (await fetch(`${fake.url}/store`)).json()) as { tasks: { contextId: string }[] };
  expect(store.tasks.map(({ contextId }) => contextId)).toEqual(['c', 'c']);
  fake.kill('SIGTERM');
  expect(await fake.ended).toBe(0);
  expect(JSON.parse(fake.lines.at(-1) ?? '')).toEqual(store);
});

it('agents are listed, shown and probed on the command line', async () => {
  const fake = await fakeAgent('--dedupe');
  await watcher.call('PUT', '/v1/agents/probed', { cardUrl: fake.url });
  expect(await agents('list')).toEqual([0, expect.stringMatching(/^probed {2}http.* {2}dedupes unknown$/m)]);
  expect(await agents('probe', 'probed')).toEqual([0, expect.stringMatching(/^dedupes yes, probed .*Z: yes$/m)]);
  expect(await agents('show', 'probed')).toEqual([0, expect.stringMatching(/^dedupes yes, probed .*Z: yes$/m)]);
  expect(await agents('show', 'nobody')).toEqual([1, '']);
  const { dispatch } = (await watcher.call('GET', '/v1/agents/probed')) as { dispatch: { dedupes: string } };
  expect(dispatch.dedupes).toBe('yes');
  await fake.stop();
});
