// docs/first-expectation.md, word for word, on ports that are free: its code is the example's, its commands run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Spawned, spawnNode } from '#runtime';
import { root, TypedPage } from './typed-page.ts';
import { Watcher } from './watcher.ts';

let watcher: Watcher;
let agent: Spawned | undefined;
let page: TypedPage;

beforeAll(async () => {
  watcher = await Watcher.create();
  page = await TypedPage.open('docs/first-expectation.md');
});

afterAll(async () => {
  await watcher.remove();
  await agent?.stop();
  await page.close();
});

it('shows the agent as it is', async () => {
  const [shown = ''] = page.blocks('ts', 'The agent');
  expect(await readFile(join(root, 'examples/first-expectation/agent.ts'), 'utf8')).toContain(shown);
});

it('shows a first expectation raised, lapsed, extended and satisfied', async () => {
  const [start = '', startAgent = '', ...rest] = page.blocks('sh', 'Run it');
  const { key } = /^DUEWATCH_DATA_DIR=\S+ DUEWATCH_BOOTSTRAP_KEY=(?<key>\S+) npm start\n$/.exec(start)?.groups ?? {};
  const { file } = /^node (?<file>dist\/\S+) 8421\n$/.exec(startAgent)?.groups ?? {};
  await watcher.start({ DUEWATCH_BOOTSTRAP_KEY: key ?? '' });
  agent = spawnNode(join(root, file ?? ''), ['0'], () => undefined);
  const agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);

  const typed = rest
    .join('')
    .replaceAll('http://127.0.0.1:8420', watcher.url)
    .replaceAll('http://127.0.0.1:8421', agentUrl);

  const shown = [
    '"findings":\\[\\]',
    'Booked PA-1.*"expectationId":"(?<first>exp-[0-9a-f]+)"',
    '"lapse":"overdue".*"state":"concluded"',
    '"status":"withdrawn".*"status":"open".*"supersedes":"\\k<first>"',
    '"outcome":"accepted","satisfied":\\[{"agentId":"desk","expectationId":"exp-',
  ];
  expect(await page.type(typed)).toMatch(new RegExp(shown.join('.*'), 's'));
});
