/** @jest-environment ./test/system/failure-keeping-environment.mjs */
// To decide, the timekeeper needs the log alone: PostgreSQL is away over a deadline, and everything else goes on after it.
import { decodeLedger, partitionOf } from '#event-log';
import { DistributedWatcher } from './distributed.ts';
import { ListeningAgent } from './listening-agent.ts';
import { OwnPostgres } from './own-postgres.ts';
import { taskOf } from './tasks.ts';
import { until } from './watcher.ts';

const tenant = 'default';

let postgres: OwnPostgres;
let watcher: DistributedWatcher;
let agent: ListeningAgent;

beforeAll(async () => {
  postgres = await OwnPostgres.create();
  watcher = await DistributedWatcher.create({ databaseUrl: postgres.url });
  agent = await ListeningAgent.start();
  await watcher.start();
  await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
});

afterAll(async () => {
  await watcher.remove();
  await postgres.remove();
  await agent.stop();
});

/** Of the tenant, as the ledger has them. */
async function lapsedIds(): Promise<readonly string[]> {
  return watcher.withLog(async (log) => {
    const partition = partitionOf(tenant, log.partitionCount);
    const records = await log.read('ledger', partition, { from: 0, limit: 10_000 });
    return records.flatMap(({ value }) => {
      const entry = decodeLedger(value);
      const events = 'events' in entry ? entry.events : [];
      return events.flatMap((event) => (event.type === 'expectationLapsed' ? [event.expectationId] : []));
    });
  });
}

const countOf = async (id: string): Promise<number> =>
  (await agent.received()).filter((messageId) => messageId.includes(id)).length;

it.each<[string, string, () => Promise<void>, () => Promise<void>]>([
  ['is gone', 'gone', () => postgres.stop(), () => postgres.start()],
  ['stands still', 'still', () => postgres.signal('SIGSTOP'), () => postgres.signal('SIGCONT')],
])('lapses are decided while PostgreSQL %s, and delivered and shown after it', async (_, id, goAway, comeBack) => {
  const due = new Date(Date.now() + 4_000).toISOString();
  const task = taskOf([`${id}-never`], due);
  expect(await watcher.call('POST', '/v1/observations', { agentId: 'flights', task })).toMatchObject({
    results: [{ expectations: [{ outcome: 'recorded' }] }],
  });
  await goAway();
  await until(async () => (await lapsedIds()).includes(`${id}-never`));
  expect(await watcher.process('timekeeper-1').isReady()).toBe(true);
  expect(await watcher.process('facts-1').isReady()).toBe(false);
  await comeBack();
  await until(async () =>
    (await Promise.all([...watcher.processes.values()].map((one) => one.isReady()))).every(Boolean),
  );
  const path = `/v1/expectations/flights/${id}-never`;
  await until(async () => /submitted|concluded/.test(JSON.stringify(await watcher.call('GET', path))));
  expect(await watcher.call('GET', path)).toMatchObject({ status: 'open', lapses: [{ lapse: 'overdue' }] });
  expect(await countOf(id)).toBe(1);
  const fact = { factKey: `${id}-never`, observedAt: new Date().toISOString(), source: 'tower' };
  expect(await watcher.call('POST', '/v1/facts', fact)).toMatchObject({ results: [{ outcome: 'accepted' }] });
});
