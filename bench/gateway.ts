// `npm run bench:gateway`: what the gateway adds to a call, beside the same calls past it, 100 a second; the watcher is a
// process of its own, its PostgreSQL flushing what it commits. It asserts nothing about speed: it prints figures and the
// goals. `BENCH_SCALE=0.1` makes it short, `BENCH_ONLY=message,block` takes some of its answers.
import { AnsweringAgent, type AnswerKind, answerKinds } from './gateway/answering-agent.ts';
import { HttpLoad } from './embedded/http-load.ts';
import { readOptions } from './embedded/options.ts';
import { atMost, milliseconds, percentile, printRow } from './embedded/report.ts';
import { openTenants, type Tenant } from './embedded/tenants.ts';
import { WatcherProcess } from './embedded/watcher-process.ts';
import { describeMachine } from './measure.ts';

const A_SECOND = 100;
const CONNECTIONS = 20;
const AGENT_ID = 'answering';
const what: Readonly<Record<AnswerKind, string>> = {
  message: 'a message, nothing in it for the log',
  task: 'a task without a block, its state to the log',
  block: 'a task with a block, to the log',
};
/** Added at p99. A change of state goes to the log before it passes, as a block does; it has the goal of what has none. */
const goals: Readonly<Record<AnswerKind, number>> = { message: 5, task: 5, block: 30 };

const { scale, phases } = readOptions(answerKinds);
console.log(`${describeMachine()}; scale ${scale}, ${A_SECOND} requests a second`);
const agent = await AnsweringAgent.start();
const watcher = await WatcherProcess.create();
try {
  await watcher.start();
  const [tenant] = await openTenants(watcher.url, 1);
  if (tenant === undefined) throw new Error('there is no tenant');
  await register(tenant);
  // Not measured: the first calls are compiled, and connections made.
  for (const kind of answerKinds) await latencies(tenant, watcher.url, pathAt(tenant), kind, Math.max(5 * scale, 0.5));
  printRow({ what: '', reached: 'added', goal: 'goal' });
  for (const kind of answerKinds) if (phases.has(kind)) await measure(tenant, kind);
} finally {
  await watcher.remove();
  await agent.stop();
}

function pathAt({ name }: Tenant): string {
  return `/a2a/${name}/${AGENT_ID}/jsonrpc/1.0`;
}

async function measure(tenant: Tenant, kind: AnswerKind): Promise<void> {
  const seconds = Math.max(20 * scale, 1);
  const direct = await latencies(tenant, agent.url, '/rpc', kind, seconds);
  const before = await watcher.cpuSeconds();
  const through = await latencies(tenant, watcher.url, pathAt(tenant), kind, seconds);
  const after = await watcher.cpuSeconds();
  const each =
    before && after && `, ${(((after.node - before.node) * 1e6) / through.length).toFixed(0)} µs of a core each`;
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    const [past, by] = [percentile(direct, share), percentile(through, share)];
    const figure = name === 'p99' ? atMost(by - past, goals[kind], milliseconds) : { reached: milliseconds(by - past) };
    const note = `${milliseconds(by)} through the gateway, ${milliseconds(past)} past it, ${through.length} calls${each ?? ''}`;
    printRow({ what: `${what[kind]}, ${name}`, ...figure, note });
  }
}

/** The first half second is not counted: connections are made in it. */
async function latencies(
  tenant: Tenant,
  url: string,
  path: string,
  kind: AnswerKind,
  seconds: number,
): Promise<number[]> {
  const load = new HttpLoad(url, CONNECTIONS);
  const startedAt = Date.now();
  try {
    const signal = AbortSignal.timeout(500 + seconds * 1_000);
    const sent = await load.pace(tenant, path, A_SECOND, () => agent.request(kind), signal);
    return sent.filter(({ at }) => at - startedAt > 500).map(({ latencyMs }) => latencyMs);
  } finally {
    await load.close();
  }
}

async function register({ key }: Tenant): Promise<void> {
  const response = await fetch(`${watcher.url}/v1/agents/${AGENT_ID}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cardUrl: agent.url }),
  });
  if (!response.ok) throw new Error(`the agent was not registered: ${response.status} ${await response.text()}`);
}
