// After the send: a lapse becomes a task at a real agent, and what the agent makes of it enters the record. Each app alone,
// as processes of their own would be, on one log in memory.
import { jest } from '@jest/globals';
import { MeasuredEventLog, MemoryEventLog, MemorySnapshotStore } from '#event-log';
import { loadConfig, PinoLogger, systemClock } from '#runtime';
import { createDatabase, farExpectation, FollowedAgent, type TestDatabase, TestShare, until } from '#testing';
import { type AppName, appNames } from './apps.ts';
import { type AppAlone, startApp } from './start-app.ts';

const key = 'dw_start_test_0123456789';
const partitionCount = 2;
const past = '2026-01-01T00:00:00Z';

let database: TestDatabase;
let log: MeasuredEventLog;
let agent: FollowedAgent;
let apps: ReadonlyMap<AppName, AppAlone>;
const fatal: unknown[] = [];

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  database = await createDatabase();
  log = new MeasuredEventLog(new MemoryEventLog({ clock: systemClock, partitionCount }), systemClock);
  const config = loadConfig({
    DUEWATCH_PORT: '0',
    DUEWATCH_PARTITIONS: String(partitionCount),
    DUEWATCH_KAFKA_BROKERS: '127.0.0.1:9',
    DUEWATCH_DATABASE_URL: database.url,
    DUEWATCH_SEAL_KEY: 'ab'.repeat(32),
    DUEWATCH_BOOTSTRAP_KEY: key,
    DUEWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
  });
  const start = (name: AppName): Promise<AppAlone> => {
    const shared = { log, share: new TestShare([0, 1]), snapshots: new MemorySnapshotStore() };
    return startApp(
      name,
      config,
      new PinoLogger('fatal'),
      (error) => fatal.push(error),
      async () => shared,
    );
  };
  apps = new Map(await Promise.all(appNames.map(async (name) => [name, await start(name)] as const)));
});
afterAll(async () => {
  await Promise.all([...apps.values()].map((app) => app.stop()));
  await log.close();
  await database.drop();
  expect(fatal).toEqual([]);
});
beforeEach(async () => {
  agent = await FollowedAgent.start({ streaming: true });
});
afterEach(() => agent.stop());

async function call(name: AppName, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return (await fetch((apps.get(name)?.url ?? '') + path, init)).json();
}

/** Resolves once the expectation is like this. */
async function untilShown(path: string, like: object): Promise<void> {
  const isShown = async (): Promise<boolean> => {
    const shown = await call('query', 'GET', `/v1/expectations/${path}`);
    try {
      expect(shown).toMatchObject(like);
      return true;
    } catch {
      return false;
    }
  };
  await until(isShown, `${path} ${JSON.stringify(like)}`);
}

/** An agent's task has raised what was due long ago; resolves to the task that its lapse became. */
async function lapseTaskOf(agentId: string): Promise<string> {
  await call('intake', 'PUT', `/v1/agents/${agentId}`, { cardUrl: agent.url });
  const taskId = await agent.begin('book');
  const contextId = (await agent.task(taskId))?.contextId;
  const block = { expectations: [farExpectation('e1', { dueAt: past })] };
  agent.artifact(taskId, 'booking', block);
  const metadata = { 'https://rsaxb.com/a2a/expectations/v1': block };
  const task = {
    ...{ id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } },
    artifacts: [{ artifactId: 'booking', parts: [], metadata }],
  };
  await call('intake', 'POST', '/v1/observations', { agentId, task });
  await until(() => agent.received.length === 2, 'the lapse');
  const lapse = agent.received[1]!;
  expect(lapse.message.messageId).toBe(`lapse:e1:overdue:${past}`);
  expect(lapse.contextId).toBe(contextId);
  return lapse.taskId;
}

it('an extension that the lapse task raises is recorded with its lineage and satisfied, and the dispatch is concluded', async () => {
  const lapseTask = await lapseTaskOf('extender');
  await untilShown('extender/e1', {
    lapses: [{ lapse: 'overdue', dispatch: { state: 'submitted', taskId: lapseTask } }],
  });
  agent.artifact(lapseTask, 'answer', { expectations: [farExpectation('e2', { supersedes: 'e1' })] });
  await untilShown('extender/e2', { status: 'open', lineage: 1, supersedes: 'e1', taskId: lapseTask });
  await untilShown('extender/e1', { status: 'withdrawn', withdrawn: 'superseded', supersededBy: 'e2' });
  agent.status(lapseTask, 'TASK_STATE_COMPLETED');
  await untilShown('extender/e1', { lapses: [{ lapse: 'overdue', dispatch: { state: 'concluded' } }] });
  const fact = { factKey: 'departed:e2', observedAt: new Date().toISOString(), source: 'tower' };
  await call('facts', 'POST', '/v1/facts', fact);
  await untilShown('extender/e2', { status: 'satisfied', late: false });
});

it('a person whom the lapse task asks is expected to answer, and the question lapses if nobody does (§11)', async () => {
  const lapseTask = await lapseTaskOf('asker');
  const subject = { type: 'task', id: lapseTask };
  agent.status(lapseTask, 'TASK_STATE_INPUT_REQUIRED', {
    expectations: [farExpectation('q1', { subject, dueAt: past })],
  });
  await untilShown('asker/q1', { status: 'open', subject, lapses: [{ lapse: 'overdue' }] });
  await until(() => agent.received.length === 3, 'the lapse of the question');
  expect(agent.received[2]?.message.messageId).toBe(`lapse:q1:overdue:${past}`);
  await agent.begin('answer', { taskId: lapseTask });
  await untilShown('asker/q1', { status: 'satisfied', source: 'task-state' });
});

it('a lapse task that is canceled withdraws what it raised, and concludes', async () => {
  const lapseTask = await lapseTaskOf('quitter');
  agent.artifact(lapseTask, 'answer', { expectations: [farExpectation('later')] });
  await untilShown('quitter/later', { status: 'open' });
  agent.status(lapseTask, 'TASK_STATE_CANCELED');
  await untilShown('quitter/later', { status: 'withdrawn', withdrawn: 'task_canceled' });
  await untilShown('quitter/e1', { status: 'open', lapses: [{ dispatch: { state: 'concluded' } }] });
});
