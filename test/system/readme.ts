// The README's five minutes, word for word: what a newcomer types is what runs here, on ports that are free.
import { join } from 'node:path';
import { type Spawned, spawnNode } from '#runtime';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';
import { root, TypedPage } from './typed-page.ts';

export function describeReadme(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let agent: Spawned;
  let page: TypedPage;

  beforeAll(async () => {
    watcher = await create();
    page = await TypedPage.open('README.md');
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
    await page.close();
  });

  it('shows a lapse, at the agent too, and the flight that departs late', async () => {
    const [start = '', startAgent = '', ...rest] = page.blocks('sh', 'Five minutes');
    const { key } =
      /^(?<settings>(DUEWATCH_\w+=\S+ )*)DUEWATCH_BOOTSTRAP_KEY=(?<key>\S+) npm start\n$/.exec(start)?.groups ?? {};
    const { file } = /^node (?<file>dist\/\S+) 8421\n$/.exec(startAgent)?.groups ?? {};
    await watcher.start({ DUEWATCH_BOOTSTRAP_KEY: key ?? '' });
    agent = spawnNode(join(root, file ?? ''), ['0'], () => undefined);
    const agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);

    const typed = rest
      .join('')
      .replaceAll('http://127.0.0.1:8420', watcher.url)
      .replaceAll('http://127.0.0.1:8421', agentUrl);
    const said = await page.type(typed);

    expect(said).toMatch(
      new RegExp(
        [
          '"findings":\\[\\]',
          '"outcome":"recorded"',
          '"lapse":"overdue"',
          '"messageId":"lapse:ek203-departure:overdue:[^"]*".*"receivedCount":1',
          '"outcome":"accepted"',
          '"status":"satisfied".*"late":true',
          '"tracks":',
          'MANIFEST: open, .*, lapsed: overdue, skipped',
          'Usage: duewatch',
        ].join('.*'),
        's',
      ),
    );
  });
}
