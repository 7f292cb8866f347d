// Each app alone, as processes of their own would be, on one log in memory: what they do together, and when each is ready.
import { MeasuredEventLog, MemoryEventLog, MemorySnapshotStore, partitionOf } from '#event-log';
import { type Config, ConfigError, loadConfig, PinoLogger, systemClock } from '#runtime';
import { type CardServer, createDatabase, startCardServer, type TestDatabase, TestShare, until } from '#testing';
import type { OpenLog } from '../process/open-log.ts';
import { type AppName, appNames } from './apps.ts';
import { type AppAlone, startApp } from './start-app.ts';

const key = 'dw_start_test_0123456789';
const partitionCount = 2;
const own = partitionOf('default', partitionCount);

let database: TestDatabase;
let cards: CardServer;
let log: MeasuredEventLog;
const running: AppAlone[] = [];
const fatal: unknown[] = [];

beforeAll(async () => {
  database = await createDatabase();
  cards = await startCardServer();
});
afterAll(async () => {
  await cards.close();
  await database.drop();
});
beforeEach(() => {
  log = new MeasuredEventLog(new MemoryEventLog({ clock: systemClock, partitionCount }), systemClock);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((app) => app.stop()));
  await log.close();
  expect(fatal.splice(0)).toEqual([]);
});

function configOf(environment: Readonly<Record<string, string>> = {}): Config {
  return loadConfig({
    DUEWATCH_PORT: '0',
    DUEWATCH_PARTITIONS: String(partitionCount),
    DUEWATCH_KAFKA_BROKERS: '127.0.0.1:9',
    DUEWATCH_DATABASE_URL: database.url,
    DUEWATCH_SEAL_KEY: 'ab'.repeat(32),
    DUEWATCH_BOOTSTRAP_KEY: key,
    DUEWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...environment,
  });
}

/** An app on the log in memory, with the partitions of its share. */
async function start(name: AppName, share = new TestShare([0, 1]), config = configOf()): Promise<AppAlone> {
  const openLog: OpenLog = async () => ({ log, share, snapshots: new MemorySnapshotStore() });
  const app = await startApp(name, config, new PinoLogger('fatal'), (error) => fatal.push(error), openLog);
  running.push(app);
  return app;
}

async function call(app: AppAlone, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(app.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

const isReady = async (app: AppAlone): Promise<boolean> => (await call(app, 'GET', '/health/ready')).ok;

/** An observation of a task whose expectation was due long ago. */
const observation = {
  agentId: 'booking',
  task: {
    id: 'task-1',
    contextId: 'context-1',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [
      {
        artifactId: 'a',
        parts: [],
        metadata: {
          'https://rsaxb.com/a2a/expectations/v1': {
            expectations: [
              {
                expectationId: 'e1',
                kind: 'shipment.departure',
                subject: { type: 'shipment', id: 's1' },
                expects: 's1 departs',
                satisfiedBy: { factKey: 'departed:s1' },
                dueAt: '2026-01-01T00:00:00Z',
                basis: 'observed',
              },
            ],
          },
        },
      },
    ],
  },
};

it('together, started at once on an empty database, they are the watcher', async () => {
  const started = await Promise.all([...appNames, 'intake' as const, 'facts' as const].map((name) => start(name)));
  const [intake, facts, , , , query] = started as [AppAlone, AppAlone, AppAlone, AppAlone, AppAlone, AppAlone];
  for (const app of started) await until(() => isReady(app), 'every app');
  const registered = await call(intake, 'PUT', '/v1/agents/booking', { cardUrl: cards.url });
  expect([registered.status, await registered.text()]).toEqual([200, expect.any(String)]);
  const observed = await call(intake, 'POST', '/v1/observations', observation);
  expect(await observed.json()).toMatchObject({ results: [{ expectations: [{ outcome: 'recorded' }] }] });
  const path = '/v1/expectations/booking/e1';
  await until(async () => (await (await call(query, 'GET', path)).text()).includes('"overdue"'), 'the lapse');
  const fact = { factKey: 'departed:s1', observedAt: new Date().toISOString(), source: 'tower' };
  expect((await call(facts, 'POST', '/v1/facts', fact)).status).toBe(200);
  await until(async () => (await (await call(query, 'GET', path)).text()).includes('"satisfied"'), 'the fact');
});

it('a write is answered 202 while nobody decides, and its decision is there once somebody does', async () => {
  const facts = await start('facts');
  const fact = { factKey: 'k', observedAt: new Date().toISOString(), source: 'tower' };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=0' };
  const told = await fetch(`${facts.url}/v1/facts`, { method: 'POST', headers, body: JSON.stringify(fact) });
  expect(told.status).toBe(202);
  await start('timekeeper');
  const decision = told.headers.get('location') ?? '';
  await until(async () => (await call(facts, 'GET', decision)).status === 200, 'the decision');
});

it('to decide, the log is enough', async () => {
  const config = configOf({ DUEWATCH_DATABASE_URL: '', DUEWATCH_SEAL_KEY: '', DUEWATCH_BOOTSTRAP_KEY: '' });
  const timekeeper = await start('timekeeper', new TestShare([own]), config);
  await until(() => isReady(timekeeper), 'the timekeeper');
  expect((await log.bounds('ledger', own)).end).toBeGreaterThan(0);
  expect((await call(timekeeper, 'GET', '/v1/expectations')).status).toBe(404);
});

it.each(['timekeeper', 'dispatcher', 'projector'] as const)(
  'a %s is alive, and not ready until it is settled which partitions are its own; none is enough',
  async (name) => {
    const share = new TestShare();
    const app = await start(name, share);
    expect((await call(app, 'GET', '/health/live')).status).toBe(200);
    expect(await isReady(app)).toBe(false);
    share.settle([]);
    expect(await isReady(app)).toBe(true);
  },
);

it('its partitions are let go of when it stops', async () => {
  const share = new TestShare([0, 1]);
  const timekeeper = await start('timekeeper', share);
  await timekeeper.stop();
  expect(share.partitions).toEqual([]);
});

it('does not start, nor opens anything, where several things are not configured', async () => {
  const config = configOf({ DUEWATCH_KAFKA_BROKERS: '', DUEWATCH_DATABASE_URL: '', DUEWATCH_SEAL_KEY: '' });
  const refused = start('dispatcher', new TestShare(), config);
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(/KAFKA_BROKERS.*DATABASE_URL.*SEAL_KEY/s);
});

it.each(appNames)('has %s say at /metrics how it does, without a key', async (name) => {
  const app = await start(name);
  const answer = await fetch(`${app.url}/metrics`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toMatch(/^duewatch_log_appends_total\{topic="inbox"\} \d+$/m);
  expect(text).not.toMatch(/^duewatch_metrics_unavailable\{.*\} 1$/m);
});
