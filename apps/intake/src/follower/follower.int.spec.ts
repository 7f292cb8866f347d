// Tasks followed at a real agent, in every way there is, with the real core behind the log.
import { jest } from '@jest/globals';
import { Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { decodeInbox, decodeLedger, type LedgerEvent, partitionOf } from '#event-log';
import { EXTENSION_URI, SdkTaskReader } from '#protocol';
import { openReadModel } from '#read-model';
import { AgentDirectory, AgentsModule, systemClock, systemRandom } from '#runtime';
import {
  createDatabase,
  type EdgeApp,
  FollowedAgent,
  type FollowedAgentOptions,
  loopbackOutbound,
  Projecting,
  startEdgeApp,
  type TestDatabase,
  until,
} from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { PushSubscriptions } from '../push/push-subscriptions.ts';
import { Sightings } from '../sightings.ts';
import { FollowerMetrics } from './follower-metrics.ts';
import type { FollowerOptions } from './follower-options.ts';
import { Follower } from './follower.ts';

const quick: Partial<FollowerOptions> = {
  lookEveryMs: 20,
  unseenMs: 0,
  poll: { baseMs: 20, capMs: 100 },
  reconnect: { baseMs: 10, capMs: 50 },
  failure: { baseMs: 10, capMs: 100 },
  netEveryMs: 3_600_000,
  lostEveryMs: 100,
};

let server: TestDatabase;
let readModel: DataSource;
let app: EdgeApp;
let projecting: Projecting;
let parts: [AgentDirectory, Sightings, PushSubscriptions];
let serving: { readonly follower: Follower; readonly leaving: AbortController; readonly done: Promise<unknown> }[] = [];
const agents: FollowedAgent[] = [];

@Module({ imports: [AgentsModule, IntakeModule] })
class PartsModule {
  constructor(...given: [AgentDirectory, Sightings, PushSubscriptions]) {
    parts = given;
  }
}
Reflect.defineMetadata('design:paramtypes', [AgentDirectory, Sightings, PushSubscriptions], PartsModule);

beforeAll(async () => {
  // The SDK's server tells the console of every task that it does not know.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  server = await createDatabase();
  readModel = await openReadModel(server.url);
});
afterAll(async () => {
  await readModel.destroy();
  await server.drop();
});
beforeEach(async () => {
  app = await startEdgeApp([IntakeModule, PartsModule]);
  await readModel.query(`TRUNCATE ${readModel.entityMetadatas.map(({ tablePath }) => tablePath).join()}`);
  projecting = new Projecting(readModel, app.log);
});
afterEach(async () => {
  await stopFollowing();
  await projecting.stop();
  await app.close();
  await Promise.all(agents.splice(0).map((agent) => agent.stop()));
});

/** One more follower of everything, as a process of its own would be. */
function follow(more: Partial<FollowerOptions> = {}): void {
  const reader = new SdkTaskReader({ outbound: loopbackOutbound(), now: () => systemClock.now() });
  const { log } = app;
  const ports = [log, readModel, reader, systemClock, systemRandom, ...parts] as const;
  const follower = new Follower(...ports, { ...quick, ...more });
  const leaving = new AbortController();
  const all = Array.from({ length: log.partitionCount }, (_, one) => follower.serve(one, leaving.signal));
  serving.push({ follower, leaving, done: Promise.all(all) });
}

async function stopFollowing(): Promise<void> {
  const stopped = serving.splice(0);
  for (const { leaving } of stopped) leaving.abort();
  await Promise.all(stopped.map(({ done }) => done));
}

async function agentCalled(agentId: string, how: FollowedAgentOptions = {}, tenant = 'acme'): Promise<FollowedAgent> {
  const agent = await FollowedAgent.start(how);
  agents.push(agent);
  const key = await app.key({ tenant });
  const answer = await app.call('PUT', `/v1/agents/${agentId}`, { key, json: { cardUrl: agent.url } });
  if (answer.status !== 200) throw new Error(`the agent was not registered: ${JSON.stringify(answer.body)}`);
  return agent;
}

function expectation(expectationId: string, more: object = {}): object {
  return {
    expectationId,
    kind: 'departure',
    subject: { type: 'flight', id: expectationId },
    expects: `${expectationId} departs`,
    satisfiedBy: { factKey: `departed:${expectationId}` },
    dueAt: '2099-01-01T00:00:00Z',
    basis: 'observed',
    ...more,
  };
}

/** A client has begun a task, whose first artifact raised this, and told the watcher so; then it went away. */
async function begun(agent: FollowedAgent, agentId: string, expectationId: string, tenant = 'acme'): Promise<string> {
  const taskId = await agent.begin(`for-${expectationId}`);
  const contextId = (await agent.task(taskId))?.contextId;
  const metadata = { [EXTENSION_URI]: { expectations: [expectation(expectationId)] } };
  const artifact = { artifactId: 'first', parts: [], metadata };
  const json = { agentId, artifactUpdate: { taskId, contextId, artifact } };
  const answer = await app.call('POST', '/v1/observations', { key: await app.key({ tenant }), json });
  expect(answer.body).toMatchObject({ results: [{ expectations: [{ outcome: 'recorded' }] }] });
  return taskId;
}

async function decided(tenant = 'acme'): Promise<readonly LedgerEvent[]> {
  const partition = partitionOf(tenant, app.log.partitionCount);
  const records = await app.log.read('ledger', partition, { from: 0, limit: 100_000 });
  const own = records.filter((record) => record.tenant === tenant).map(({ value }) => decodeLedger(value));
  return own.flatMap((entry) => ('events' in entry ? entry.events : []));
}

/** Resolves once an event like this is in the record. */
async function untilDecided(like: object, tenant = 'acme'): Promise<void> {
  const isLike = (event: LedgerEvent): boolean =>
    Object.entries(like).every(([name, value]) => (event as unknown as Record<string, unknown>)[name] === value);
  await until(async () => (await decided(tenant)).some(isLike), JSON.stringify(like));
}

/** How many inputs of the log are of this task. */
async function inputsOf(taskId: string): Promise<number> {
  const all = await Promise.all([0, 1].map((one) => app.log.read('inbox', one, { from: 0, limit: 100_000 })));
  return all.flat().filter(({ value }) => (decodeInbox(value) as { taskId?: unknown }).taskId === taskId).length;
}

/** A figure of the first follower. */
async function figure(name: string, way?: string): Promise<number | undefined> {
  const [first] = serving;
  const family = first && (await new FollowerMetrics(first.follower).collect()).find((one) => one.name === name);
  return family?.samples.find(({ labels }) => labels?.['way'] === way)?.value;
}

const untilNothingFollowed = (): Promise<void> =>
  until(
    () => serving.every(({ follower }) => follower.agents.every(({ tasks }) => tasks.size === 0)),
    'nothing to follow',
  );

const question = (taskId: string): object => ({
  expectations: [expectation(`ask-${taskId}`, { subject: { type: 'task', id: taskId } })],
});

describe.each<[string, FollowedAgentOptions]>([
  ['that streams, on JSON-RPC', { streaming: true }],
  ['that streams, on HTTP+JSON', { streaming: true, binding: 'HTTP+JSON' }],
  ['that streams, on 0.3', { streaming: true, version: '0.3' }],
  ['that is asked, on JSON-RPC', {}],
  ['that is asked, on HTTP+JSON', { binding: 'HTTP+JSON' }],
  ['that is asked, on 0.3', { version: '0.3', binding: 'HTTP+JSON' }],
])('an agent %s', (_, how) => {
  it('is seen to raise, to ask, and to end its task', async () => {
    const agent = await agentCalled('booking', how);
    const taskId = await begun(agent, 'booking', 'e1');
    follow();
    agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
    await untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
    agent.status(taskId, 'TASK_STATE_INPUT_REQUIRED', question(taskId));
    await untilDecided({ type: 'expectationRecorded', expectationId: `ask-${taskId}`, question: true });
    await agent.begin('answer', { taskId });
    await untilDecided({ type: 'expectationSatisfied', expectationId: `ask-${taskId}`, how: 'state' });
    agent.status(taskId, 'TASK_STATE_CANCELED');
    await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_canceled' });
    await untilNothingFollowed();
  });
});

it('a failure that happened while nobody looked is seen at once (N05)', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  agent.status(taskId, 'TASK_STATE_FAILED');
  follow();
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_failed' });
});

it('a task that completes withdraws nothing, and is followed no more', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  agent.status(taskId, 'TASK_STATE_COMPLETED');
  await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_COMPLETED' });
  await untilNothingFollowed();
  expect((await decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
});

it('what an agent says again and again is told once', async () => {
  const agent = await agentCalled('booking');
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const inputs = await inputsOf(taskId);
  const asked = agent.askedFor('read');
  await until(() => agent.askedFor('read') > asked + 5, 'more looks');
  expect(await inputsOf(taskId)).toBe(inputs);
});

it.each([true, false])(
  'an agent that is down says nothing of its tasks, and what it did is seen once it is back (streams: %s)',
  async (streaming) => {
    const agent = await agentCalled('booking', { streaming });
    const taskId = await begun(agent, 'booking', 'e1');
    follow();
    await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
    agent.isAway = true;
    agent.cut();
    const asked = agent.asked.length;
    await until(() => agent.asked.length > asked + 3, 'more questions');
    expect(await figure('duewatch_unreachable_agents')).toBe(1);
    expect((await decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
    agent.status(taskId, 'TASK_STATE_REJECTED');
    agent.isAway = false;
    await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_rejected' });
    expect(await figure('duewatch_unreachable_agents')).toBe(0);
  },
);

it('a stream that is cut goes on from where it was', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  await until(() => agent.askedFor('follow') === 1, 'the stream');
  agent.isAway = true;
  agent.cut();
  agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
  agent.isAway = false;
  await untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
  await until(async () => (await figure('duewatch_followed_tasks', 'stream')) === 1, 'the stream again');
});

it('a task that its agent does not know is not canceled: it cannot be followed', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  await begun(agent, 'booking', 'e1');
  const other = await agentCalled('booking', { streaming: true });
  follow();
  await until(async () => (await figure('duewatch_unfollowable_tasks')) === 1, 'that it cannot be followed');
  expect(await figure('duewatch_followed_tasks', 'stream')).toBe(0);
  expect(other.asked.length).toBeGreaterThan(0);
  expect((await decided()).map(({ type }) => type)).not.toContain('expectationWithdrawn');
});

it('many tasks of one agent are looked at together', async () => {
  const agent = await agentCalled('booking');
  const taskIds: string[] = [];
  for (let index = 0; index < 8; index += 1) taskIds.push(await begun(agent, 'booking', `e${index}`));
  follow();
  await until(async () => (await figure('duewatch_followed_tasks', 'sweep')) === 8, 'the sweep');
  agent.status(taskIds[3]!, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e3', withdrawn: 'task_canceled' });
  agent.artifact(taskIds[4]!, 'second', { expectations: [expectation('later')] });
  await untilDecided({ type: 'expectationRecorded', expectationId: 'later' });
  expect(agent.askedFor('list')).toBeGreaterThan(0);
});

it('many tasks of an agent that has no list are asked for one by one', async () => {
  const agent = await agentCalled('booking', { version: '0.3' });
  const taskIds: string[] = [];
  for (let index = 0; index < 8; index += 1) taskIds.push(await begun(agent, 'booking', `e${index}`));
  follow();
  agent.status(taskIds[7]!, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e7', withdrawn: 'task_canceled' });
  await until(async () => (await figure('duewatch_followed_tasks', 'poll')) === 7, 'the rest');
});

it('no agent is asked for more streams than may be; what has none is looked at', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const first = await begun(agent, 'booking', 'e1');
  const second = await begun(agent, 'booking', 'e2');
  follow({ streamsPerAgent: 1 });
  await until(async () => (await figure('duewatch_followed_tasks', 'poll')) === 1, 'one that is polled');
  expect(await figure('duewatch_followed_tasks', 'stream')).toBe(1);
  agent.status(first, 'TASK_STATE_CANCELED');
  agent.status(second, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' });
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2' });
});

it('an agent that pushes is asked to, and what it sends is seen though nobody looks', async () => {
  const agent = await agentCalled('booking', { pushNotifications: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow({ publicUrl: app.url });
  await until(async () => (await figure('duewatch_followed_tasks', 'push')) === 1, 'the push');
  await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const looks = agent.askedFor('read');
  agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
  await untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2', withdrawn: 'task_canceled' });
  expect(agent.askedFor('read')).toBe(looks);
  await until(
    async () => (await app.database.query('SELECT 1 FROM duewatch_edge.push_subscription')).length === 0,
    'no token',
  );
});

it('who starts again asks no agent anew to push', async () => {
  const agent = await agentCalled('booking', { pushNotifications: true });
  await begun(agent, 'booking', 'e1');
  follow({ publicUrl: app.url });
  await until(async () => (await figure('duewatch_followed_tasks', 'push')) === 1, 'the push');
  await stopFollowing();
  follow({ publicUrl: app.url });
  await until(async () => (await figure('duewatch_followed_tasks', 'push')) === 1, 'the push again');
  expect(agent.askedFor('push')).toBe(1);
});

it('who is killed and starts again sees what happened meanwhile', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  await stopFollowing();
  agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  follow();
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1', withdrawn: 'task_canceled' });
});

it('two that follow one task decide it once', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  follow();
  await until(() => agent.askedFor('follow') === 2, 'two streams');
  agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e2', withdrawn: 'task_canceled' });
  await stopFollowing();
  const events = await decided();
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  expect([count('expectationRecorded'), count('expectationWithdrawn')]).toEqual([2, 2]);
});

it('a tenant whose agents hang holds up no other', async () => {
  const hanging = await Promise.all(Array.from({ length: 20 }, (_, index) => agentCalled(`hanging-${index}`)));
  await Promise.all(hanging.map((agent, index) => begun(agent, `hanging-${index}`, `h${index}`)));
  const agent = await agentCalled('booking', {}, 'globex');
  const taskId = await begun(agent, 'booking', 'e1', 'globex');
  for (const each of hanging) each.isHung = true;
  follow();
  await until(() => hanging.filter(({ asked }) => asked.length > 0).length >= 16, 'calls that hang');
  agent.status(taskId, 'TASK_STATE_CANCELED');
  await untilDecided({ type: 'expectationWithdrawn', expectationId: 'e1' }, 'globex');
  for (const each of hanging) each.cut();
});

it('what the log could not take is told once it can', async () => {
  const agent = await agentCalled('booking', { streaming: true });
  const taskId = await begun(agent, 'booking', 'e1');
  follow();
  await untilDecided({ type: 'statusApplied', taskId, state: 'TASK_STATE_WORKING' });
  const { append } = app.log;
  let refusals = 0;
  app.log.append = () => {
    refusals += 1;
    return Promise.reject(Object.assign(new Error('gone'), { name: 'LogUnavailableError', retryable: true }));
  };
  agent.artifact(taskId, 'second', { expectations: [expectation('e2')] });
  await until(() => refusals > 0, 'a refusal');
  app.log.append = append;
  await untilDecided({ type: 'expectationRecorded', expectationId: 'e2' });
});
