// The feed and the agent as processes, before a watcher that is played by the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expectationsUri } from './extension.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

const seen: Seen[] = [];
const arrivals = new EventEmitter();
const children: ChildProcess[] = [];
let watcher: Server;

beforeAll(async () => {
  watcher = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({
        method: request.method!,
        path: request.url!,
        key: request.headers.authorization,
        body: JSON.parse(body) as unknown,
      });
      // Each path is refused for a moment once, to see that the same is said again.
      const isFirst = seen.filter(({ path }) => path === request.url).length === 1;
      response.writeHead(isFirst ? 503 : 202, { 'Content-Type': 'application/json', 'Retry-After': '0' });
      response.end('{}');
      arrivals.emit('arrival');
    });
  }).listen(0, '127.0.0.1');
  await once(watcher, 'listening');
});

afterAll(async () => {
  for (const child of children) {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
  watcher.close();
  watcher.closeAllConnections();
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  children.push(child);
  return child;
}

it('registers the agent, posts the tasks the agent returns, then what happens; what was not taken is said again', async () => {
  const [line] = (await once(createInterface(start(['dist/examples/flights/agent.js']).stdout!), 'line')) as [string];
  const agentUrl = line.replace('listening ', '');
  const api = `http://127.0.0.1:${(watcher.address() as AddressInfo).port}`;
  const feed = ['dist/examples/flights/feed.js', '--agent', agentUrl, '--run', 'r1'];
  start(feed, { DUEWATCH_URL: api, DUEWATCH_KEY: 'k1' }).stdout!.resume();
  const on = (path: string): Seen[] => seen.filter((request) => request.path === path);
  while (on('/v1/facts').length < 2) await once(arrivals, 'arrival');

  expect(new Set(seen.map(({ key }) => key))).toEqual(new Set(['Bearer k1']));
  expect(on('/v1/agents/flights').map(({ method, body }) => [method, body])).toEqual(
    Array(2).fill(['PUT', { cardUrl: `${agentUrl}/.well-known/agent-card.json` }]),
  );
  const [first, again] = on('/v1/observations');
  expect(again).toEqual(first);
  expect(first!.body).toMatchObject({
    agentId: 'flights',
    task: {
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: expect.arrayContaining([
        expect.objectContaining({
          metadata: {
            [expectationsUri]: {
              expectations: expect.arrayContaining([
                expect.objectContaining({ expectationId: expect.stringMatching(/-r1\.departure$/), grace: 'PT6.25S' }),
              ]),
            },
          },
        }),
      ]),
    },
  });
  expect(on('/v1/facts')[0]!.body).toEqual(
    expect.arrayContaining([
      {
        factKey: expect.stringMatching(/^flight\.departed:.*-r1$/),
        observedAt: expect.any(String),
        source: 'flight-feed',
        subject: { type: 'flight', id: expect.stringMatching(/-r1$/) },
      },
    ]),
  );
});

it.each([
  [[], { DUEWATCH_KEY: 'k1' }],
  [['--agent', 'http://127.0.0.1:1'], { DUEWATCH_KEY: '' }],
  [['--agent', 'http://127.0.0.1:1', '--key', 'k1'], {}],
])('says how it is used where something is missing or unknown: %j %j', async (args, environment) => {
  const child = spawn(process.execPath, ['dist/examples/flights/feed.js', ...args], {
    stdio: 'ignore',
    env: { ...process.env, ...environment },
  });
  expect(await once(child, 'exit')).toEqual([2, null]);
});
