// The demo: an example agent and a feed as processes of their own, using the public API like anyone else.
import { fileURLToPath } from 'node:url';
import { type ApiKeys, type KeyGrant, type Spawned, spawnNode } from '#runtime';
import type { Embedded } from './embedded/embedded.ts';

export interface Demo {
  stop(): Promise<void>;
}

const agentFile = fileURLToPath(new URL('../../../examples/flights/agent.js', import.meta.url));
const feedFile = fileURLToPath(new URL('../../../examples/flights/feed.js', import.meta.url));

const feedGrant: KeyGrant = {
  tenant: 'default',
  name: 'flight-demo',
  scopes: ['agents', 'observe', 'facts'],
  sources: ['flight-feed'],
};
const pageGrant: KeyGrant = { tenant: 'default', name: 'demo-page', scopes: ['read'], sources: [] };

/** Starts both, with keys of their own made for the occasion; those of the demo before are revoked. */
export async function startDemo({ url, keys }: Embedded): Promise<Demo> {
  const agent = spawnNode(agentFile, ['0'], () => undefined);
  const agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);
  const feedKey = await remake(keys, feedGrant);
  const pageKey = await remake(keys, pageGrant);
  say(`The demo's page: ${url}/#key=${pageKey}`, `The agent's lapses: ${agentUrl}/lapses`, 'Ctrl-C ends it.');
  const feed = spawnNode(feedFile, ['--agent', agentUrl], say, { DUEWATCH_URL: url, DUEWATCH_KEY: feedKey });
  let isStopping = false;
  const watch = (name: string, { ended }: Spawned): void => {
    void ended.then((code) => {
      if (!isStopping && code !== 0) say(`The ${name} has ended (${code ?? 'killed'}); Duewatch goes on without it.`);
    });
  };
  watch('agent', agent);
  watch('feed', feed);
  return {
    stop: async () => {
      isStopping = true;
      await Promise.all([feed.stop(), agent.stop()]);
    },
  };
}

/** The secret of a new key; live ones of the same name are revoked. */
async function remake(keys: ApiKeys, grant: KeyGrant): Promise<string> {
  const earlier = (await keys.list(grant.tenant)).filter((key) => key.name === grant.name && key.revokedAt === null);
  for (const { keyId } of earlier) await keys.revoke(keyId);
  return (await keys.make(grant)).secret;
}

function say(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
