// The demo: an example agent and a feed as processes of their own, using the public API of a watcher like anyone else.
import { fileURLToPath } from 'node:url';
import { type KeyGrant, type Spawned, spawnNode } from '#runtime';
import { CommandError, ExitCode } from '../exit-code.ts';

export interface Demo {
  stop(): Promise<void>;
}

/** What a key may; the tenant is that of whoever makes it. */
export type DemoGrant = Omit<KeyGrant, 'tenant'>;

export interface DemoOptions {
  /** Where the watcher is, without a path. */
  readonly url: string;
  /** Where it is for the person at the page, if that is elsewhere. */
  readonly pageUrl?: string;
  /** Makes a key and resolves to its secret; live ones of the same name are revoked. */
  readonly remakeKey: (grant: DemoGrant) => Promise<string>;
  /** What the agent is started with (agent.js); a free port of 127.0.0.1 where there is nothing. */
  readonly agentParameters?: readonly string[];
  /** Told where the agent, or before its day is over the feed, has ended by itself. */
  readonly onGone: (what: string) => void;
}

const agentFile = fileURLToPath(new URL('../../../../examples/flights/agent.js', import.meta.url));
const feedFile = fileURLToPath(new URL('../../../../examples/flights/feed.js', import.meta.url));

const feedGrant: DemoGrant = {
  name: 'flight-demo',
  scopes: ['agents', 'observe', 'facts'],
  sources: ['flight-feed'],
};
const pageGrant: DemoGrant = { name: 'demo-page', scopes: ['read'], sources: [] };

/** Starts both, with keys of their own made for the occasion; those of the demo before are revoked. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { url, pageUrl = url, remakeKey, agentParameters = ['0'], onGone } = options;
  const feedKey = await remakeKey(feedGrant);
  const pageKey = await remakeKey(pageGrant);
  const agent = spawnNode(agentFile, agentParameters, () => undefined);
  const agentUrl = await listening(agent);
  say(`The demo's page: ${pageUrl}/#key=${pageKey}`, `The agent's lapses: ${agentUrl}/lapses`, 'Ctrl-C ends it.');
  const feed = spawnNode(feedFile, ['--agent', agentUrl], say, { DUEWATCH_URL: url, DUEWATCH_KEY: feedKey });
  let isStopping = false;
  const watch = (name: string, { ended }: Spawned, isExpected: (code: number | null) => boolean): void => {
    void ended.then((code) => {
      if (!isStopping && !isExpected(code)) onGone(`the ${name} has ended (${code ?? 'killed'})`);
    });
  };
  watch('agent', agent, () => false);
  watch('feed', feed, (code) => code === 0);
  return {
    stop: async () => {
      isStopping = true;
      await Promise.all([feed.stop(), agent.stop()]);
    },
  };
}

/** Where the agent says that it is. Throws `CommandError`. */
async function listening(agent: Spawned): Promise<string> {
  try {
    return await agent.firstLine((line) => /^listening (http\S+)/.exec(line)?.[1]);
  } catch (cause) {
    throw new CommandError(ExitCode.cannotReach, 'the agent does not start: what it says stands above', { cause });
  }
}

function say(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
