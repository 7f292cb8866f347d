// What is kept of agents that do not echo the extension, and how often that is written.
import type { AgentTroubles, Clock } from '#runtime';
import { EchoWatch } from './echo-watch.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const echo = { headers: { 'a2a-extensions': uri }, statusCode: 200 };
const none = { headers: {}, statusCode: 200 };

const exchange = (kind: string, path = 'jsonrpc/1.0'): Exchange =>
  ({
    agent: { tenant: 'acme', agentId: 'booking', extensionUri: uri },
    via: { path },
    operation: { kind },
  }) as unknown as Exchange;

async function written(
  ...seen: readonly (readonly [number, Parameters<EchoWatch['see']>[1], Exchange?])[]
): Promise<readonly string[]> {
  const words: string[] = [];
  const note =
    (word: string) =>
    (_: string, __: string, { path }: { readonly path: string }) =>
      Promise.resolve(void words.push(`${word} ${path}`));
  const troubles = { echoed: note('echoed'), echoMissed: note('missed') } as unknown as AgentTroubles;
  const metrics = { echoMissing: () => undefined } as unknown as GatewayMetrics;
  let nowMs = 0;
  const watch = new EchoWatch(troubles, metrics, { now: () => nowMs } as unknown as Clock);
  for (const [atMs, answer, asked] of seen) {
    nowMs = atMs;
    watch.see(asked ?? exchange('send'), answer);
  }
  await watch.onApplicationShutdown();
  return words;
}

it('is written when it is first seen, again a minute later, and soon after it is otherwise', async () => {
  expect(await written([0, none], [59_000, none])).toEqual(['missed jsonrpc/1.0']);
  expect(await written([0, none], [60_000, none])).toEqual(['missed jsonrpc/1.0', 'missed jsonrpc/1.0']);
  expect(await written([0, none], [4_000, echo], [5_000, echo])).toEqual(['missed jsonrpc/1.0', 'echoed jsonrpc/1.0']);
});

it('is of each interface by itself', async () => {
  const other = exchange('send', 'rest/1.0');
  expect(await written([0, none], [0, echo, other])).toEqual(['missed jsonrpc/1.0', 'echoed rest/1.0']);
});

it('is nothing where no message was sent, or none was taken', async () => {
  expect(await written([0, none, exchange('other')], [0, { ...none, statusCode: 503 }])).toEqual([]);
});
