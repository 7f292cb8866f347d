// What an agent is to be reminded of in its running tasks: set at its registration, over HTTP.
import { AgentReminders, AgentTroubles } from '#runtime';
import { type EdgeApp, FakeAgent, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

let edge: EdgeApp;
let key: string;
let agent: FakeAgent;
let reminders: AgentReminders;

beforeAll(async () => {
  edge = await startEdgeApp([IntakeModule]);
  key = await edge.key({ scopes: ['agents'] });
  agent = await FakeAgent.start();
  reminders = edge.get(AgentReminders);
});
afterAll(async () => {
  await edge.close();
  await agent.stop();
});

const register = (agentId: string, wanted?: unknown) =>
  edge.call('PUT', `/v1/agents/${agentId}`, {
    key,
    json: { cardUrl: agent.url, ...(wanted !== undefined && { reminders: wanted }) },
  });

const shown = async (agentId: string) =>
  (await edge.call('GET', `/v1/agents/${agentId}`, { key })).body as { reminders?: object; trouble?: object };

it.each<[object, object | undefined]>([
  [
    { beforeDue: 'PT30M', lapsed: true },
    { beforeDue: 'PT30M', lapsed: true },
  ],
  [{ beforeDue: true }, { beforeDue: 'PT1H' }],
  [{ lapsed: true }, { lapsed: true }],
  [{ beforeDue: false, lapsed: false }, undefined],
  [{}, undefined],
])('%j is kept with the agent and shown as %j', async (wanted, kept) => {
  const { status, body } = await register('set', wanted);
  expect([status, (body as { reminders?: object }).reminders]).toEqual([200, kept]);
  expect((await shown('set')).reminders).toEqual(kept);
});

it('it is off until it is asked for, and again once the agent is registered without it', async () => {
  await register('off');
  expect(await reminders.find('acme', 'off')).toBeUndefined();
  await register('on', { beforeDue: 'PT2H' });
  expect(await reminders.find('acme', 'on')).toEqual({ beforeDueMs: 7_200_000, lapsed: false });
  await register('on');
  expect((await shown('on')).reminders).toBeUndefined();
  expect(await reminders.find('acme', 'on')).toEqual({ beforeDueMs: undefined, lapsed: false });
});

it('of many agents those that ever asked are told apart, by tenant', async () => {
  await register('asked', { lapsed: true });
  const asked = ['asked', 'never'].flatMap((agentId) =>
    ['acme', 'globex', 'no\0tenant'].map((tenant) => ({ tenant, agentId })),
  );
  expect(await reminders.of(asked)).toEqual([
    { tenant: 'acme', agentId: 'asked', beforeDueMs: undefined, lapsed: true },
  ]);
});

it.each<[string, unknown]>([
  ['reminders', true],
  ['reminders.lapsed', { lapsed: 'yes' }],
  ['reminders.often', { often: true }],
  ...['PT59S', 'P31D', 'P1M', 'P', '', 3_600, null].map((beforeDue): [string, unknown] => [
    'reminders.beforeDue',
    { beforeDue },
  ]),
])('it is refused naming %s where it is %j', async (field, wanted) => {
  expect(await register('refused', wanted)).toMatchObject({ status: 422, body: { field } });
});

it('what the agent was not told is shown with it, until it is told again or registered anew', async () => {
  const troubles = edge.get(AgentTroubles);
  await register('deaf', { lapsed: true });
  const untold = { cause: 'unsupported', message: 'its card declares no reminders' } as const;
  await troubles.reminderUntold('acme', 'deaf', untold);
  await troubles.reminderUntold('acme', 'deaf', untold);
  const lastAt = expect.stringMatching(/^\d{4}-.*Z$/);
  expect((await shown('deaf')).trouble).toEqual({ untoldReminders: { ...untold, count: 2, lastAt } });
  await troubles.reminderTold('acme', 'deaf');
  expect((await shown('deaf')).trouble).toBeUndefined();
  await troubles.reminderUntold('acme', 'deaf', untold);
  await register('deaf', { lapsed: true });
  expect((await shown('deaf')).trouble).toBeUndefined();
});
