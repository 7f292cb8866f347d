// What of push configs and tasks is of PostgreSQL alone: who is due is found among many who are not, and no rows are left.
import { Message, TaskPushNotificationConfig, TaskState } from '@a2a-js/sdk';
import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { CredentialSeal, systemClock } from '#runtime';
import { createDatabase, type TestDatabase } from '#testing';
import { openHostDatabase } from '../store/host-database.ts';
import { HostNotifications } from '../store/host-notifications.ts';
import { PostgresTaskStore } from '../store/postgres-task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { PushStore } from './push-store.ts';

let test: TestDatabase;
let database: DataSource;
let tasks: PostgresTaskStore;
let pushes: PushStore;
let count = 0;
let key: { application: string; user: string; taskId: string };
beforeAll(async () => {
  test = await createDatabase();
  database = await openHostDatabase(test.url);
  tasks = new PostgresTaskStore(database, new HostNotifications(database, test.url, systemClock, () => undefined));
  pushes = new PushStore(database, new CredentialSeal(Buffer.alloc(32, 7)));
});
afterAll(async () => {
  await database.destroy();
  await test.drop();
});
beforeEach(() => (key = { application: `app-${(count += 1)}`, user: 'alice', taskId: 'task-1' }));

const at = () => new Date(systemClock.now()).toISOString();
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [] });
const completed = (): TaskEvent => ({ type: 'statusChanged', at: at(), state: TaskState.TASK_STATE_COMPLETED });
const begin = () => tasks.create({ key, contextId: 'c', events: [{ type: 'submitted', at: at(), message }] });
const ask = (toldVersion: number, id = 'config-1') =>
  pushes.set(key, TaskPushNotificationConfig.fromJSON({ id, url: 'http://a.example' }), toldVersion, 2);
const claim = (forMs = 600_000) => pushes.claim(key.application, forMs, []);
const due = async () => {
  const found = await claim();
  if (found === undefined) throw new Error('nothing is due');
  return found;
};

it('a task that is let go of takes with it what its context’s reminders have left behind', async () => {
  const owner = JSON.stringify([key.application, key.user]);
  const contexts = () =>
    database.query(`SELECT context_id FROM duewatch_host.reminder_context WHERE owner = $1`, [owner]);
  const leave = (contextId: string, taskId: string) =>
    database.query('INSERT INTO duewatch_host.reminder_context VALUES ($1, $2, $3)', [
      ...[owner, contextId, JSON.stringify({ contextId, tasks: [{ taskId, turns: 1 }], live: [], gone: [] })],
    ]);
  await begin();
  await tasks.create({
    key: { ...key, taskId: 'open' },
    contextId: 'd',
    events: [{ type: 'submitted', at: at(), message }],
  });
  await leave('c', 'task-1');
  await leave('d', 'open');
  await tasks.append(key, {}, [completed()]);
  expect(await tasks.letGo(key.application, 0, 10)).toBe(1);
  expect(await contexts()).toEqual([{ context_id: 'd' }]);
});

interface Plan {
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];

it('what is due is found without looking at the many configs that have nothing to tell', async () => {
  await database.query(
    `INSERT INTO duewatch_host.push (application, user_name, task_id, config_id, config, told_version, next_at, is_done)
     SELECT $1, 'bob', 'task-' || nth, 'c', '', 1, NULL, nth % 2 = 0 FROM generate_series(1, 20000) AS nth`,
    [key.application],
  );
  await database.query('ANALYZE duewatch_host.push');
  await begin();
  await ask(0);
  const asked = jest.spyOn(database, 'query');
  await claim(0);
  const [statement, parameters] = asked.mock.lastCall ?? [''];
  asked.mockRestore();
  const [row] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
    parameters as unknown[],
  );
  const scans = flat(row!['QUERY PLAN'][0]!.Plan).filter((plan) => plan['Relation Name'] === 'push');
  expect(scans.map((plan) => plan['Index Name'])).toContain('push_due');
  const looked = scans.map((plan) => plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0));
  expect(Math.max(...looked)).toBe(1);
  expect(await due()).toMatchObject({ key });
});
