// N31: a window of maintenance over an agent, from the public API to what the agent receives, with a kill in between; and a
// parked lapse that a person retries or discards.
import { ListeningAgent } from './listening-agent.ts';
import { taskOf } from './tasks.ts';
import { until, Watcher } from './watcher.ts';

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

interface Listed {
  readonly items: readonly {
    readonly expectationId: string;
    readonly lapsedAt: string;
    readonly state: string;
    readonly cause?: string;
  }[];
}

const hourMs = 3_600_000;
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const listed = async (query: string) => ((await watcher.call('GET', `/v1/dispatches?${query}`)) as Listed).items;
const idsOf = async (query: string) => (await listed(query)).map(({ expectationId }) => expectationId).sort();
const lapse = (ids: readonly string[]) =>
  watcher.call('POST', '/v1/observations', { agentId: 'flights', task: taskOf(ids, ago(hourMs)) });

it('holds what lapses until it is ended, voids what is satisfied meanwhile, and sends the rest as it lapsed', async () => {
  const window = {
    pauseId: 'migration',
    scope: { agentId: 'flights' },
    reason: 'the carrier moves its interface',
    until: new Date(Date.now() + 5 * hourMs).toISOString(),
  };
  const pause = () => watcher.call('POST', '/v1/pauses', window);
  const active = { pauseId: 'migration', state: 'active', reason: window.reason, scope: window.scope };
  expect(await pause()).toMatchObject(active);
  await lapse(['A', 'B']);
  await until(async () => (await idsOf('state=held')).length === 2);
  await watcher.call('POST', '/v1/facts', { factKey: 'A', observedAt: ago(hourMs / 2) });
  await until(async () => (await idsOf('state=voided')).includes('A'));
  await watcher.kill('everything');
  await watcher.start();
  // A deployment says it again.
  expect(await pause()).toMatchObject(active);
  expect(await idsOf('state=held')).toEqual(['B']);
  const [held] = await listed('expectationId=B');
  expect(await agent.received()).toEqual([]);
  await watcher.call('DELETE', '/v1/pauses/migration');
  await until(async () => (await agent.received()).length > 0);
  await until(async () => (await idsOf('state=held')).length === 0);
  expect((await agent.received()).map((messageId) => messageId.split(':')[1])).toEqual(['B']);
  expect(Object.values(agent.fake.received[0]?.metadata ?? {})).toMatchObject([
    { lapse: { lapsedAt: held?.lapsedAt } },
  ]);
  expect(await pause()).toMatchObject({ state: 'ended', endedBy: expect.any(String) });
});

it('has a parked lapse sent after all, or never, as a person says', async () => {
  const before = (await agent.received()).length;
  agent.fake.sendFaults.push({ status: 404 }, { status: 404 });
  await lapse(['C']);
  await until(async () => (await idsOf('state=parked')).length === 1);
  await lapse(['D']);
  await until(async () => (await idsOf('state=parked')).length === 2);
  expect((await listed('state=parked')).map(({ cause }) => cause)).toEqual([expect.any(String), expect.any(String)]);
  const of = (expectationId: string) => ({ agentId: 'flights', expectationId, lapse: 'overdue' });
  await watcher.call('POST', '/v1/dispatches/discard', { ...of('C'), reason: 'settled by telephone' });
  await watcher.call('POST', '/v1/dispatches/retry', [of('D')]);
  await until(async () => (await agent.received()).length > before);
  expect((await agent.received()).at(-1)).toContain(':D:');
  await until(async () => (await idsOf('state=parked')).length === 0);
  expect(await listed('expectationId=C')).toMatchObject([{ state: 'voided', cause: 'discarded' }]);
  await expect(watcher.call('POST', '/v1/dispatches/retry', of('C'))).rejects.toThrow(/409 .*voided, not parked/);
});
