// The gateway, shown: the same client is pointed at an agent, and then at the gateway before it. Needs a watcher that runs
// (`npm start`), and one of its keys. Usage: demo.js KEY [URL], http://127.0.0.1:8420 unless told. Ends with 0 where an
// expectation was raised, lapsed, was extended and satisfied, as it says on the way.
import { once } from 'node:events';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { systemClock } from '#runtime';

const [, , key = '', url = 'http://127.0.0.1:8420'] = process.argv;
const watcher = url.replace(/\/+$/, '');
const agentId = 'booking-desk';
const patienceMs = 60_000;
const everyMs = 200;

interface Expectation {
  readonly expectationId: string;
  readonly status: string;
  readonly subject: { readonly id: string };
  readonly factKey: string;
  readonly dueAt: string;
  readonly supersedes?: string;
  readonly lapses: readonly { readonly lapse: string; readonly dispatch: { readonly state: string } }[];
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A request to the watcher's API. Throws what it was answered where that is no success. */
async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(watcher + path, {
    ...{ method, headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
}

/** The expectations of the agent, once they are as wanted. */
async function until(what: string, isSo: (all: readonly Expectation[]) => boolean): Promise<readonly Expectation[]> {
  for (const startedAt = systemClock.now(); systemClock.now() - startedAt < patienceMs;) {
    const { items } = (await ask('GET', `/v1/expectations?agentId=${agentId}`)) as { items: readonly Expectation[] };
    if (isSo(items)) return items;
    await systemClock.sleep(everyMs);
  }
  throw new Error(`it was waited for in vain that ${what}`);
}

const file = (name: string): string => new URL(name, import.meta.url).pathname;

async function startAgent(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const agent = spawn(process.execPath, [file('agent.js')], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [line] = (await once(createInterface({ input: agent.stdout ?? process.stdin }), 'line')) as [string];
  return { process: agent, url: line.replace('listening ', '') };
}

/** Runs the client, unmodified, and returns what it prints. */
async function book(url: string, messageId: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [file('client.js'), url, messageId]);
  return stdout;
}

const agent = await startAgent();
try {
  await ask('PUT', `/v1/agents/${agentId}`, { cardUrl: agent.url });
  const before = await until('the watcher answers', () => true);
  const unwatched = await book(agent.url, 'booking-1');
  say(`1. The client books at ${agent.url}: nobody watches, and nothing is expected (${unwatched.length} bytes).`);

  const gateway = `${watcher}/a2a/default/${agentId}/`;
  await book(gateway, 'booking-2');
  const [raised] = (await until('it is raised', (all) => all.length > before.length)).filter(
    ({ expectationId }) => !before.some((known) => known.expectationId === expectationId),
  );
  if (raised === undefined) throw new Error('nothing was raised');
  const { expectationId, subject, factKey } = raised;
  const own = (all: readonly Expectation[]): Expectation | undefined =>
    all.find((each) => each.expectationId === expectationId);
  say(`2. The same client books at ${gateway}: a manifest for ${subject.id} is expected by ${raised.dueAt}.`);

  await until('it lapses', (all) => (own(all)?.lapses.length ?? 0) > 0);
  say('3. None comes: it is overdue, and the agent is told so in a task of its own.');

  const after = await until('it is extended', (all) => all.some(({ supersedes }) => supersedes === expectationId));
  const extended = after.find(({ supersedes }) => supersedes === expectationId);
  say(`4. The agent asks for more time: it is expected by ${extended?.dueAt ?? ''} now.`);

  await ask('POST', '/v1/facts', { factKey, observedAt: new Date(systemClock.now()).toISOString() });
  await until('it is satisfied', (all) =>
    all.some((each) => each.supersedes === expectationId && each.status === 'satisfied'),
  );
  say('5. The manifest comes: satisfied.');
} finally {
  agent.process.kill();
}
