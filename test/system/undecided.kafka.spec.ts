/** @jest-environment ./test/system/failure-keeping-environment.mjs */
// With nobody to decide, what is told is taken; what became of it can be read once somebody decides.
import { DistributedWatcher } from './distributed.ts';
import { ListeningAgent } from './listening-agent.ts';
import { taskOf } from './tasks.ts';
import { administratorKey, until } from './watcher.ts';

let watcher: DistributedWatcher;
let agent: ListeningAgent;

beforeAll(async () => {
  watcher = await DistributedWatcher.create();
  agent = await ListeningAgent.start();
  await watcher.start();
  await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
  await watcher.process('timekeeper-1').stop();
});

afterAll(async () => {
  await watcher.remove();
  await agent.stop();
});

interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly body: { readonly position: string };
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(watcher.url + path, {
    method,
    headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json', prefer: 'wait=0' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, location: headers.get('location'), body: (await response.json()) as Answer['body'] };
}

it('answers a write with 202, and its decision where it says, once a timekeeper has started', async () => {
  const due = new Date(Date.now() + 3_600_000).toISOString();
  const observed = await ask('POST', '/v1/observations', { agentId: 'flights', task: taskOf(['EK203'], due) });
  const fact = { factKey: 'EK203', observedAt: new Date().toISOString(), source: 'tower' };
  const told = await ask('POST', '/v1/facts', [fact, fact]);
  for (const answer of [observed, told]) {
    expect(answer).toMatchObject({ status: 202, location: `/v1/decisions/${answer.body.position}` });
    expect(await ask('GET', answer.location ?? '')).toMatchObject({ status: 202 });
  }
  await watcher.start();
  const decided = async ({ location }: Answer): Promise<Answer> => {
    await until(async () => (await ask('GET', location ?? '')).status !== 202);
    return ask('GET', location ?? '');
  };
  expect(await decided(observed)).toMatchObject({
    status: 200,
    body: { results: [{ expectations: [{ expectationId: 'EK203', outcome: 'recorded' }] }] },
  });
  expect(await decided(told)).toMatchObject({
    status: 200,
    body: {
      results: [
        { outcome: 'accepted', satisfied: [{ agentId: 'flights', expectationId: 'EK203' }] },
        { outcome: 'repeated' },
      ],
    },
  });
});
