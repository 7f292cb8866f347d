// The log's clock steps by an hour under the watcher: ahead it decides nothing until an operator has looked, behind it
// is late; it never says anything false.
import { ListeningAgent } from './listening-agent.ts';
import { taskOf } from './tasks.ts';
import { administratorKey, until, Watcher } from './watcher.ts';

let watcher: Watcher;
let agent: ListeningAgent;

beforeAll(async () => {
  watcher = await Watcher.create();
  agent = await ListeningAgent.start();
  await watcher.start();
  await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
});

afterAll(async () => {
  await watcher.remove();
  await agent.stop();
});

async function stepClock(by: string): Promise<void> {
  const client = await watcher.connect();
  await client.query(
    `CREATE OR REPLACE FUNCTION duewatch_log.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
     AS 'SELECT clock_timestamp() + interval ''${by}'''`,
  );
  await client.end();
}

const isReady = async (): Promise<boolean> => (await fetch(`${watcher.url}/health/ready`)).ok;

const raise = (id: string, dueInMs: number): Promise<unknown> => {
  const task = taskOf([id], new Date(Date.now() + dueInMs).toISOString());
  return watcher.call('POST', '/v1/observations', { agentId: 'flights', task });
};

/** A fact told without waiting for long. Resolves to the status and the position. */
async function tell(factKey: string): Promise<{ readonly status: number; readonly position: string }> {
  const response = await fetch(`${watcher.url}/v1/facts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json', prefer: 'wait=2' },
    body: JSON.stringify({ factKey, observedAt: new Date().toISOString() }),
  });
  const { position } = (await response.json()) as { readonly position: string };
  return { status: response.status, position };
}

const shown = (id: string): Promise<unknown> => watcher.call('GET', `/v1/expectations/flights/${id}`);

const held = async (): Promise<readonly { readonly position: string; readonly cause: string }[]> =>
  ((await watcher.call('GET', '/v1/holds?released=false')) as { items: { position: string; cause: string }[] }).items;

it('an hour ahead, it decides nothing until it is released, and no lapse is false', async () => {
  await raise('in-time', 1_200_000);
  const rightUntil = new Date().toISOString();
  await stepClock('1 hour');
  const { status, position } = await tell('in-time');
  expect(status).toBe(202);
  await until(async () => (await held()).length === 8);
  expect(await isReady()).toBe(false);
  await stepClock('0');
  // A start waits for being ready, which it is not while it is held.
  await watcher.stop();
  await watcher.startHeld();
  expect(await isReady()).toBe(false);
  expect(await shown('in-time')).toMatchObject({ status: 'open', lapses: [] });
  for (const hold of await held()) {
    await watcher.call('POST', `/v1/holds/${hold.position}/release`, { takenAt: rightUntil });
  }
  await until(isReady);
  await until(async () => JSON.stringify(await shown('in-time')).includes('satisfiedAt'));
  expect(await shown('in-time')).toMatchObject({ status: 'satisfied', late: false, lapses: [] });
  expect(await watcher.call('GET', `/v1/decisions/${position}`)).toMatchObject({ results: [{ outcome: 'accepted' }] });
  await until(async () => (await held()).length === 0);
});

it('an hour behind, it goes on deciding, and lapses late and once', async () => {
  await stepClock('-1 hour');
  await raise('late', 1_000);
  expect((await tell('another')).status).toBe(200);
  await until(async () => Date.now() > Date.parse(((await shown('late')) as { dueAt: string }).dueAt));
  expect(await shown('late')).toMatchObject({ status: 'open', lapses: [] });
  expect(await isReady()).toBe(true);
  await stepClock('0');
  await until(async () => JSON.stringify(await shown('late')).includes('overdue'));
  await until(async () => (await agent.received()).some((messageId) => messageId.includes('late')));
  expect(new Set(await agent.received()).size).toBe(1);
  expect(await shown('late')).toMatchObject({ lapses: [{ lapse: 'overdue' }] });
});
