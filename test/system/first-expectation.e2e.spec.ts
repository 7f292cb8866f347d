// docs/first-expectation.md, word for word, on ports that are free: its code is the example's, its commands run.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSION_URI } from '#protocol';
import { findFreePort, type Spawned, spawnNode } from '#runtime';
import { ServedFolder } from './served-folder.ts';
import { root, TypedPage } from './typed-page.ts';
import { Watcher } from './watcher.ts';

const main = join(root, 'dist/apps/cli/src/main.js');
let watcher: Watcher;
const agents: Spawned[] = [];
let page: TypedPage;
let served: ServedFolder;

beforeAll(async () => {
  watcher = await Watcher.create();
  page = await TypedPage.open('docs/first-expectation.md');
  served = await ServedFolder.of('examples/served-desk', await findFreePort());
});

afterAll(async () => {
  await watcher.remove();
  for (const agent of agents) await agent.stop();
  await page.close();
  await served.remove();
});

it.each([
  ['The agent', 'examples/first-expectation/agent.ts'],
  ['Without a server', 'examples/served-desk/handler.ts'],
])('%s is shown as it is', async (heading, file) => {
  const [shown = 'nothing'] = page.blocks('ts', heading);
  expect(await readFile(join(root, file), 'utf8')).toContain(shown);
});

it('shows a first expectation raised, lapsed, extended and satisfied, and one of an agent that the host serves', async () => {
  const [start = '', startAgent = '', ...rest] = page.blocks('sh', 'Run it');
  const { key } = /^DUEWATCH_DATA_DIR=\S+ DUEWATCH_BOOTSTRAP_KEY=(?<key>\S+) npm start\n$/.exec(start)?.groups ?? {};
  const { file } = /^node (?<file>dist\/\S+) 8421\n$/.exec(startAgent)?.groups ?? {};
  await watcher.start({ DUEWATCH_BOOTSTRAP_KEY: key ?? '' });
  const agentUrl = await started(join(root, file ?? ''), ['0'], /^listening (http:\S+)/);
  const [serve = '', ...restServed] = page.blocks('sh', 'Without a server');
  expect(serve).toBe('npm run -s duewatch -- serve examples/served-desk\n');
  const servedUrl = await started(
    main,
    ['serve', served.path, '--port', `${served.port}`],
    /^The agent is at (http:\S+)$/,
  );

  const typed = [...rest, ...restServed]
    .join('')
    .replaceAll('http://127.0.0.1:8420', watcher.url)
    .replaceAll('http://127.0.0.1:8421', agentUrl)
    .replaceAll('http://127.0.0.1:1907', servedUrl);

  const shown = [
    '"findings":\\[\\]',
    'Booked PA-1.*"expectationId":"(?<first>exp-[0-9a-f]+)"',
    '"lapse":"overdue".*"state":"concluded"',
    '"status":"withdrawn".*"status":"open".*"supersedes":"\\k<first>"',
    '"outcome":"accepted","satisfied":\\[{"agentId":"desk","expectationId":"exp-',
    '"findings":\\[\\]',
    'Booked PA-2.*"expectationId":"(?<served>exp-[0-9a-f]+)"',
    '"lapse":"overdue".*"state":"concluded"',
    '"status":"withdrawn".*"status":"open".*"supersedes":"\\k<served>"',
  ];
  expect(await page.type(typed)).toMatch(new RegExp(shown.join('.*'), 's'));
  expect(await toldTwice(servedUrl)).toEqual(['PA-2', 'lapse']);
});

/** Starts an agent; resolves to where it listens. */
async function started(file: string, parameters: readonly string[], listening: RegExp): Promise<string> {
  const agent = spawnNode(file, parameters, () => undefined);
  agents.push(agent);
  return agent.firstLine((line) => listening.exec(line)?.[1]);
}

/** What the tasks of the served agent came of: the booking, and its lapse, which is told again here. */
async function toldTwice(url: string): Promise<string[]> {
  const headers = { 'A2A-Version': '1.0', 'A2A-Extensions': EXTENSION_URI, 'Content-Type': 'application/a2a+json' };
  const list = async (): Promise<readonly A2AMessage[]> => {
    const answer = await fetch(`${url}/desk/a2a/tasks`, { headers });
    const { tasks } = (await answer.json()) as {
      readonly tasks: readonly { readonly history: readonly A2AMessage[] }[];
    };
    return tasks.flatMap(({ history: [first] }) => (first === undefined ? [] : [first]));
  };
  const isLapse = ({ messageId }: A2AMessage): boolean => messageId.startsWith('lapse:');
  // It is of its task now: whoever submits it names none.
  const { taskId: _, ...message } = (await list()).find(isLapse) as A2AMessage & { readonly taskId?: string };
  const body = JSON.stringify({ message });
  expect((await fetch(`${url}/desk/a2a/message:send`, { method: 'POST', headers, body })).status).toBe(200);
  return (await list()).map((told) => (isLapse(told) ? 'lapse' : (told.parts[0]?.text ?? ''))).toSorted();
}

interface A2AMessage {
  readonly messageId: string;
  readonly parts: readonly { readonly text?: string }[];
}
