// The demo: an example agent and a feed as processes of their own, using the public API like anyone else.
import { fileURLToPath } from 'node:url';
import { spawnNode } from '#runtime';
import type { Embedded } from './embedded/embedded.ts';

export interface Demo {
  stop(): Promise<void>;
}

const agentFile = fileURLToPath(new URL('../../../examples/flights/agent.js', import.meta.url));
const feedFile = fileURLToPath(new URL('../../../examples/flights/feed.js', import.meta.url));

/** Starts both, with keys of their own made for the occasion. */
export async function startDemo({ url, keys }: Embedded): Promise<Demo> {
  const agent = spawnNode(agentFile, ['0'], () => undefined);
  const agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);
  const feedGrant = {
    tenant: 'default',
    name: 'flight-demo',
    scopes: ['agents', 'observe', 'facts'],
    sources: ['flight-feed'],
  } as const;
  const { secret } = await keys.make(feedGrant);
  const reader = await keys.make({ tenant: 'default', name: 'demo-page', scopes: ['read'], sources: [] });
  process.stdout.write(`The demo's page: ${url}/#key=${reader.secret}\nThe agent's lapses: ${agentUrl}/lapses\n`);
  const parameters = ['--api', url, '--key', secret, '--agent', agentUrl];
  const feed = spawnNode(feedFile, parameters, (line) => process.stdout.write(`${line}\n`));
  return {
    stop: async () => {
      await Promise.all([feed.stop(), agent.stop()]);
    },
  };
}
