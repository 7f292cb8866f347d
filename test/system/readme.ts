// The README's five minutes, word for word: what a newcomer types is what runs here, on ports that are free.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Spawned, spawnNode } from '#runtime';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

export function describeReadme(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let agent: Spawned;
  let programs: string;

  beforeAll(async () => {
    watcher = await create();
    programs = await mkdtemp(join(tmpdir(), 'duewatch-readme-'));
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
    await rm(programs, { recursive: true, force: true });
  });

  /** What stands to be typed under a heading, block by block. */
  async function blocksOf(heading: string): Promise<readonly string[]> {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const section = readme.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
    return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  }

  /** Runs it in the shell. There is a curl after all others on the path. */
  async function type(script: string): Promise<string> {
    const curl = join(programs, 'curl');
    await writeFile(curl, `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'curl.mjs')}" "$@"\n`);
    await chmod(curl, 0o755);
    const env = { ...process.env, PATH: [process.env['PATH'], programs].join(delimiter) };
    return (await run('sh', ['-e', '-c', script], { cwd: root, env })).stdout;
  }

  it('shows a lapse, at the agent too, and the flight that departs late', async () => {
    const [start = '', startAgent = '', ...rest] = await blocksOf('Five minutes');
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
    const said = await type(typed);

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
