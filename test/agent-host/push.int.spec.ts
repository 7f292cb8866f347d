// Push notifications: durable, in order, tried again, and to no address that is not called.
import { type Task, TaskState } from '@a2a-js/sdk';
import { createDatabase, type TestDatabase, until, WebhookReceiver } from '#testing';
import { obedientAgent, Strings } from './obedient-agent.ts';
import { isMessage, pathOf, request, ServedAgent } from './served-agent.ts';

const places = { tasks: 'postgres', sessions: 'memory', work: 'memory' } as const;
const capabilities = { streaming: true, pushNotifications: true };
let database: TestDatabase;
let receiver: WebhookReceiver;
const strings = new Strings();
let agent: ServedAgent;

const start = () =>
  ServedAgent.start(obedientAgent(strings), { card: { capabilities }, places, databaseUrl: database.url });

beforeAll(async () => {
  database = await createDatabase();
  agent = await start();
});
afterAll(async () => {
  await agent.close();
  await database.drop();
});
beforeEach(async () => {
  strings.isOpen = false;
  receiver = await new WebhookReceiver().start();
});
afterEach(() => receiver.close());

const client = () => agent.client(['JSONRPC', '1.0']);
const configOf = (url: string) => ({
  url,
  token: 'token-1',
  authentication: { scheme: 'Bearer', credentials: 'secret' },
});

async function send(text: string, config: object): Promise<Task> {
  const configuration = { returnImmediately: true, taskPushNotificationConfig: config };
  const answer = await (await client()).sendMessage(request(text, { configuration }));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}

/** What the receiver was told, each by what it is. */
function told(): unknown[] {
  return receiver.received.map(({ text }) => {
    const { statusUpdate, artifactUpdate } = JSON.parse(text);
    return statusUpdate?.status.state ?? artifactUpdate?.artifact.parts?.[0].text ?? 'end of answer';
  });
}

const whole = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'holding',
  'done',
  'end of answer',
  'TASK_STATE_COMPLETED',
];

it('all that happens to a task is told, in order, with the credential', async () => {
  strings.isOpen = true;
  await send('hold done', configOf(`${receiver.url}/hook`));
  await until(() => told().length >= whole.length, 'the pushes');
  expect(told()).toEqual(whole);
  expect(receiver.received[0]).toMatchObject({
    path: '/hook',
    headers: {
      authorization: 'Bearer secret',
      'x-a2a-notification-token': 'token-1',
      'content-type': 'application/a2a+json',
    },
  });
});

it('a config that comes with a reply is told all that comes of it, however soon it is over', async () => {
  const operations = await client();
  const waiting = await Promise.all(Array.from({ length: 10 }, () => operations.sendMessage(request('later which?'))));
  const configuration = { taskPushNotificationConfig: configOf(receiver.url) };
  const replies = waiting.map((task) => {
    if (isMessage(task)) throw new Error('it is a Message');
    return operations.sendMessage(request('reject this', { taskId: task.id, configuration }));
  });
  await Promise.all(replies);
  const count = (state: string) => told().filter((each) => each === `TASK_STATE_${state}`).length;
  await until(() => count('REJECTED') === 10, 'the ends');
  // Of each the message, and the turn that began with it.
  expect([count('WORKING'), count('INPUT_REQUIRED')]).toEqual([20, 0]);
});

it('what is not taken is told again, by another process too, and nothing after it before', async () => {
  receiver.answers.push(200, 503);
  const { id } = await send('hold done', configOf(receiver.url));
  await until(() => told().length >= 2, 'the refusal');
  // The process ends in order, and so does what it ran: the task fails, which is told as well.
  await agent.close();
  agent = await start();
  await until(() => told().includes('TASK_STATE_FAILED'), 'the rest');
  const [first, refused, ...rest] = told();
  expect([first, refused, ...rest]).toEqual([
    'TASK_STATE_SUBMITTED',
    'TASK_STATE_WORKING',
    'TASK_STATE_WORKING',
    'holding',
    'TASK_STATE_FAILED',
  ]);
  expect((await (await client()).getTask({ tenant: '', id })).status?.state).toBe(TaskState.TASK_STATE_FAILED);
});

it('an address that is not called is called by nobody', async () => {
  strings.isOpen = true;
  const { id } = await send('hold done', { url: 'http://169.254.169.254/latest', id: 'bad' });
  const good = await (
    await client()
  ).createTaskPushNotificationConfig({
    ...{ tenant: '', id: '', taskId: id, url: `${receiver.url}/late`, token: '', authentication: undefined },
  });
  expect(good).toMatchObject({ taskId: id, url: `${receiver.url}/late` });
  await until(async () => {
    const [row] = await agent.query('SELECT is_done, failures_count FROM duewatch_host.push WHERE config_id = $1', [
      'bad',
    ]);
    return row?.['is_done'] === true && row['failures_count'] === 1;
  }, 'the refusal');
});

it('configs are kept, shown, and deleted', async () => {
  const { id } = await send('later which?', { ...configOf(receiver.url), id: 'c-1' });
  const operations = await client();
  const one = { tenant: '', taskId: id, id: 'c-1' };
  expect(await operations.getTaskPushNotificationConfig(one)).toMatchObject({ id: 'c-1', token: 'token-1' });
  const list = async () =>
    (await operations.listTaskPushNotificationConfig({ tenant: '', taskId: id, pageSize: 10, pageToken: '' })).configs
      .length;
  expect(await list()).toBe(1);
  await operations.deleteTaskPushNotificationConfig(one);
  expect(await list()).toBe(0);
  await expect(operations.getTaskPushNotificationConfig(one)).rejects.toThrow('no push notification config c-1');
});

it('a task has twenty configs at most, however many come at once', async () => {
  const { id } = await send('later which?', configOf(receiver.url));
  const operations = await client();
  const one = { tenant: '', id: '', taskId: id, url: receiver.url, token: '', authentication: undefined };
  const made = await Promise.allSettled(
    Array.from({ length: 30 }, () => operations.createTaskPushNotificationConfig(one)),
  );
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  const { configs } = await operations.listTaskPushNotificationConfig({
    ...{ tenant: '', taskId: id, pageSize: 100, pageToken: '' },
  });
  expect(configs).toHaveLength(20);
});

it.each(['file:///etc/passwd', 'no url', 'http://user:pass@a.example/'])('%s is no config', async (url) => {
  await expect(send('later which?', { url })).rejects.toMatchObject({ name: 'RequestMalformedError' });
});

it('a client of 0.3 need not say which config it asks for', async () => {
  const { id } = await send('later which?', configOf(`${receiver.url}/x`));
  const rpc = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: `tasks/pushNotificationConfig/${method}`, params });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const { result, error } = JSON.parse(await (await fetch(agent.url + pathOf(['JSONRPC', '0.3']), init)).text());
    return { result, error };
  };
  const config = { url: `${receiver.url}/x` };
  expect(await rpc('get', { id })).toMatchObject({ result: { taskId: id, pushNotificationConfig: config } });
  const other = await send('later which?', configOf(`${receiver.url}/x`));
  for (const { pushNotificationConfig } of (await rpc('list', { id: other.id })).result) {
    await rpc('delete', { id: other.id, pushNotificationConfigId: pushNotificationConfig.id });
  }
  expect(await rpc('get', { id: other.id })).toMatchObject({ error: { code: -32001 } });
});
