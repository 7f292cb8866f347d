// What agents send of tasks that they were asked to send of.
import { decodeInbox } from '#event-log';
import { EXTENSION_URI } from '#protocol';
import { hashSecret, systemClock } from '#runtime';
import { type EdgeAnswer, type EdgeApp, startEdgeApp } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { PushSubscriptions } from './push-subscriptions.ts';

let app: EdgeApp;
let subscriptions: PushSubscriptions;
let token: string;

const task = { tenant: 'acme', agentId: 'booking/1', taskId: 'task-1' };
const path = '/v1/push/acme/booking%2F1';
const type = 'application/a2a+json';

beforeAll(async () => {
  app = await startEdgeApp([IntakeModule]);
  subscriptions = new PushSubscriptions(app.database, systemClock);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.query('TRUNCATE duewatch_edge.push_subscription');
  token = await subscriptions.make(task);
});

const status = (state: string, taskId = 'task-1') => ({
  statusUpdate: { taskId, contextId: 'c', status: { state } },
});

function push(body: unknown, headers: Record<string, string>, to = path): Promise<EdgeAnswer> {
  return app.call('POST', to, { body: JSON.stringify(body), headers: { 'content-type': type, ...headers } });
}
const own = (secret = token) => ({ 'x-a2a-notification-token': secret });

/** The states of the task that the log was told, in order. */
async function told(): Promise<readonly unknown[]> {
  const all = await Promise.all(
    [0, 1].map(async (partition) => app.log.read('inbox', partition, { from: 0, limit: 10_000 })),
  );
  const inputs = all.flat().map(({ tenant, value }) => ({ tenant, ...(decodeInbox(value) as object) }));
  return inputs.map((input) => ('state' in input ? input.state : 'artifact' in input ? 'artifact' : input));
}

it.each([
  ['a status of 1.0', status('TASK_STATE_WORKING'), 'TASK_STATE_WORKING'],
  [
    'a task of 1.0',
    { task: { id: 'task-1', contextId: 'c', status: { state: 'TASK_STATE_FAILED' } } },
    'TASK_STATE_FAILED',
  ],
  [
    'a task of 0.3',
    { kind: 'task', id: 'task-1', contextId: 'c', status: { state: 'canceled' } },
    'TASK_STATE_CANCELED',
  ],
  ['a bare task', { id: 'task-1', contextId: 'c', status: { state: 'rejected' } }, 'TASK_STATE_REJECTED'],
  [
    'a status of 0.3',
    { kind: 'status-update', taskId: 'task-1', contextId: 'c', status: { state: 'input-required' }, final: true },
    'TASK_STATE_INPUT_REQUIRED',
  ],
  [
    'an artifact',
    {
      artifactUpdate: {
        taskId: 'task-1',
        contextId: 'c',
        artifact: {
          artifactId: 'a',
          parts: [],
          metadata: { [EXTENSION_URI]: { facts: [{ factKey: 'k', observedAt: '2026-01-01T00:00:00Z' }] } },
        },
      },
    },
    'artifact',
  ],
])('%s is in the log when it is answered', async (_, body, expected) => {
  const before = await told();
  expect((await push(body, own())).status).toBe(204);
  expect((await told()).slice(before.length)).toEqual([expected]);
});

it('a token that its agent did not take is let go of, and one that it took is not', async () => {
  const taken = await subscriptions.make({ ...task, taskId: 'taken' });
  await subscriptions.agreed(taken);
  await subscriptions.forget(taken);
  await subscriptions.forget(token);
  expect(await subscriptions.taskOf(task.tenant, task.agentId, taken)).toMatchObject({ taskId: 'taken' });
  expect(await subscriptions.taskOf(task.tenant, task.agentId, token)).toBeUndefined();
});

it('the token may be the bearer', async () => {
  const headers = { authorization: `Bearer ${token}` };
  expect((await push(status('TASK_STATE_SUBMITTED'), headers)).status).toBe(204);
});

it('what was sent before is not told again; a state of another instant is, for they may come out of order', async () => {
  const working = (timestamp: string) => ({
    statusUpdate: { taskId: 'task-1', contextId: 'c', status: { state: 'TASK_STATE_AUTH_REQUIRED', timestamp } },
  });
  await push(working('2026-09-10T00:00:01Z'), own());
  const before = await told();
  expect((await push(working('2026-09-10T00:00:01Z'), own())).status).toBe(204);
  expect(await told()).toEqual(before);
  await push(working('2026-09-10T00:00:03Z'), own());
  expect(await told()).toEqual([...before, 'TASK_STATE_AUTH_REQUIRED']);
});

it('nobody is let in without the token of this task of this agent, and is not told what was wrong', async () => {
  const other = await subscriptions.make({ ...task, agentId: 'other' });
  const foreign = await subscriptions.make({ ...task, tenant: 'globex' });
  const otherTask = await subscriptions.make({ ...task, taskId: 'task-2' });
  const body = status('TASK_STATE_CANCELED');
  const before = await told();
  const answers = await Promise.all([
    push(body, {}),
    push(body, own('dw_nobody')),
    push(body, own('')),
    push(body, own(other)),
    push(body, own(foreign)),
    push(body, own(otherTask)),
    push(body, own(), '/v1/push/globex/booking%2F1'),
    push(body, own(), '/v1/push/acme/booking'),
    push(body, own(), '/v1/push/ACME/%00'),
    push(body, { authorization: `Bearer ${await app.key()}` }),
    push({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] } }, own()),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 401));
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  expect(await told()).toEqual(before);
});

it('a token is nobody’s once the task is not followed any more', async () => {
  await subscriptions.end(task);
  expect((await push(status('TASK_STATE_WORKING'), own())).status).toBe(401);
});

it('only the hash of a token is kept', async () => {
  const rows: { readonly token_hash: Buffer }[] = await app.database.query(
    'SELECT * FROM duewatch_edge.push_subscription',
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.token_hash).toEqual(hashSecret(token));
  expect(JSON.stringify(rows)).not.toContain(token);
});

it('a body that is no A2A is refused, and one that is too large', async () => {
  expect((await push({ result: {} }, own())).status).toBe(422);
  expect((await push([status('TASK_STATE_WORKING')], own())).status).toBe(422);
  const huge = { ...status('TASK_STATE_WORKING'), more: 'x'.repeat(10_000_001) };
  expect((await push(huge, own())).status).toBe(413);
});

it('the agent is told to send it again while the log is away, and what it sends then is told', async () => {
  const { append } = app.log;
  app.log.append = () => Promise.reject(Object.assign(new Error('gone'), { name: 'LogUnavailableError' }));
  const refused = await push(status('TASK_STATE_COMPLETED'), own());
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  app.log.append = append;
  const before = await told();
  expect((await push(status('TASK_STATE_COMPLETED'), own())).status).toBe(204);
  expect((await told()).slice(before.length)).toEqual(['TASK_STATE_COMPLETED']);
});

it('those that the agent agreed to are known, until long after', async () => {
  expect(await subscriptions.agreedOf('acme', task.agentId, ['task-1', 'task-2'])).toEqual(new Set());
  await subscriptions.agreed(token);
  expect(await subscriptions.agreedOf('acme', task.agentId, ['task-1', 'task-2'])).toEqual(new Set(['task-1']));
  expect(await subscriptions.agreedOf('globex', task.agentId, ['task-1'])).toEqual(new Set());
  await subscriptions.endOld();
  expect(await subscriptions.taskOf('acme', task.agentId, token)).toEqual(task);
  const muchLater = { ...systemClock, now: () => systemClock.now() + 91 * 86_400_000 };
  await new PushSubscriptions(app.database, muchLater).endOld();
  expect(await subscriptions.taskOf('acme', task.agentId, token)).toBeUndefined();
});
