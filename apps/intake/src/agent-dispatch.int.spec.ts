// How lapses are sent to an agent: set by hand at its registration, or found by a probe, over HTTP.
import { jest } from '@jest/globals';
import { type EdgeApp, FakeAgent, type Misbehaviour, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

let edge: EdgeApp;
let key: string;
let agents: FakeAgent[] = [];

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  edge = await startEdgeApp([IntakeModule]);
  key = await edge.key({ scopes: ['agents'] });
});
afterAll(() => edge.close());
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop()));
  agents = [];
});

type Parameters = readonly [binding?: 'JSONRPC' | 'HTTP+JSON', version?: '1.0' | '0.3', misbehaviour?: Misbehaviour];

async function registered(agentId: string, parameters: Parameters = [], dispatch?: object): Promise<FakeAgent> {
  const agent = await FakeAgent.start(...parameters);
  agents.push(agent);
  const json = { cardUrl: agent.url, ...(dispatch !== undefined && { dispatch }) };
  expect(await edge.call('PUT', `/v1/agents/${agentId}`, { key, json })).toMatchObject({ status: 200 });
  return agent;
}

const shown = async (agentId: string) =>
  ((await edge.call('GET', `/v1/agents/${agentId}`, { key })).body as { readonly dispatch: object }).dispatch;

const probe = (agentId: string, by = key) => edge.call('POST', `/v1/agents/${agentId}/probe`, { key: by });

describe('by hand', () => {
  it('it is kept with the agent and shown, alone and in the list, until it is registered without', async () => {
    await registered('set', [], { dedupes: 'yes', ratePerMinute: 30 });
    expect(await shown('set')).toEqual({ dedupes: 'yes', ratePerMinute: 30 });
    const { items } = (await edge.call('GET', '/v1/agents', { key })).body as { items: object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ agentId: 'set', dispatch: { dedupes: 'yes', ratePerMinute: 30 } }),
    );
    await registered('set');
    expect(await shown('set')).toEqual({ dedupes: 'unknown' });
  });

  it.each([
    ['dispatch.dedupes', { dedupes: true }],
    ['dispatch.ratePerMinute', { ratePerMinute: 0 }],
    ['dispatch.ratePerMinute', { ratePerMinute: '30' }],
    ['dispatch.burst', { burst: 3 }],
  ])('it is refused naming %s', async (field, dispatch) => {
    const json = { cardUrl: 'http://127.0.0.1', dispatch };
    expect(await edge.call('PUT', '/v1/agents/refused', { key, json })).toMatchObject({ status: 422, body: { field } });
  });
});

describe('by a probe', () => {
  it.each<[string, string, Parameters]>([
    ['no', 'each message becomes a task', []],
    ['no', 'each message becomes a task, over HTTP+JSON', ['HTTP+JSON']],
    ['no', 'each message becomes a task, on 0.3', ['JSONRPC', '0.3']],
    ['yes', 'one task is made of a message', ['JSONRPC', '1.0', { dedupe: true }]],
    ['yes', 'one task is made of a message, over HTTP+JSON', ['HTTP+JSON', '1.0', { dedupe: true }]],
    ['unknown', 'nobody can read its answers', ['JSONRPC', '1.0', { garbage: true }]],
    ['unknown', 'it takes nothing', ['JSONRPC', '1.0', { refuseContext: true }]],
  ])('it is found to be %s where %s, and kept with its instant', async (dedupes, _, parameters) => {
    const agent = await registered('probed', parameters);
    const answer = await probe('probed');
    const { dispatch } = answer.body as { dispatch: { probe: { probedAt: string } } };
    expect({ status: answer.status, dispatch }).toMatchObject({
      status: 200,
      dispatch: { dedupes, probe: { dedupes } },
    });
    expect(dispatch.probe.probedAt).toMatch(/^\d{4}-.*Z$/);
    expect('cause' in dispatch.probe).toBe(dedupes === 'unknown');
    expect(await shown('probed')).toEqual(dispatch);
    const ids = new Set(agent.kept.tasks.flatMap(({ messageIds }) => messageIds));
    expect(ids.size).toBeLessThanOrEqual(1);
  });

  it('it says nothing of another card, and gives way to what is set by hand', async () => {
    await registered('moved', ['JSONRPC', '1.0', { dedupe: true }]);
    await probe('moved');
    expect(await shown('moved')).toMatchObject({ dedupes: 'yes' });
    await registered('moved');
    expect(await shown('moved')).toEqual({ dedupes: 'unknown' });
    await registered('held', ['JSONRPC', '1.0', { dedupe: true }], { dedupes: 'no' });
    expect(await probe('held')).toMatchObject({ body: { dispatch: { dedupes: 'no', probe: { dedupes: 'yes' } } } });
  });

  it('it is of the tenant’s own agents, by whoever may register them, and never unasked', async () => {
    const agent = await registered('own');
    expect(await probe('own', await edge.key({ tenant: 'globex' }))).toMatchObject({ status: 404 });
    expect(await probe('own', await edge.key({ scopes: ['read'] }))).toMatchObject({ status: 403 });
    expect(await probe('nobody')).toMatchObject({ status: 404, body: { type: '/problems/agent-unknown' } });
    expect(agent.sends).toEqual([]);
  });
});
