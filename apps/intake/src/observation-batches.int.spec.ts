// Observations as they come in the field: many at once, again, and out of order; decided by the real core.
import { type EdgeApp, FollowedAgent, farExpectation, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';

let edge: EdgeApp;
let agent: FollowedAgent;
let key: string;

beforeAll(async () => {
  edge = await startEdgeApp([IntakeModule]);
  agent = await FollowedAgent.start();
  key = await edge.key();
  await edge.call('PUT', '/v1/agents/booking', { key, json: { cardUrl: agent.url } });
});
afterAll(async () => {
  await agent.stop();
  await edge.close();
});

interface Result {
  readonly expectations: readonly {
    readonly expectationId: string;
    readonly outcome: string;
    readonly code?: string;
  }[];
  readonly withdrawn: readonly { readonly expectationId: string; readonly withdrawn: string }[];
}

async function observe(json: unknown): Promise<{ readonly status: number; readonly results: readonly Result[] }> {
  const { status, body } = await edge.call('POST', '/v1/observations', { key, json });
  return { status, results: (body as { results?: readonly Result[] }).results ?? [] };
}

const raising = (...ids: readonly string[]): object => ({
  metadata: { [URI]: { expectations: ids.map((id) => farExpectation(id)) } },
});
const artifact = (taskId: string, ...ids: readonly string[]): object => ({
  artifactUpdate: { taskId, contextId: 'c', artifact: { artifactId: `of-${taskId}`, parts: [], ...raising(...ids) } },
});
const status = (taskId: string, state: string, timestamp?: string): object => ({
  statusUpdate: { taskId, contextId: 'c', status: { state, ...(timestamp && { timestamp }) } },
});
const of = (part: object): object => ({ agentId: 'booking', ...part });
const outcomes = (results: readonly Result[]): readonly string[][] =>
  results.map(({ expectations }) => expectations.map(({ expectationId, outcome }) => `${expectationId} ${outcome}`));

it('good and bad ones of every form in one array are answered each in its place', async () => {
  const { status: code, results } = await observe([
    of(artifact('t1', 'a1', 'a2')),
    {
      ...of({}),
      kind: 'artifact-update',
      taskId: 't1',
      contextId: 'c',
      artifact: { artifactId: 'x', ...raising('a3') },
    },
    of({ result: { tasks: [] } }),
    of({
      jsonrpc: '2.0',
      id: 1,
      result: { id: 't1', contextId: 'c', status: { state: 'x' }, artifacts: [raising('a4')] },
    }),
    7,
    of({
      task: { id: 't1', contextId: 'c', status: { state: 'TASK_STATE_WORKING' }, artifacts: [raising('a1', 'a5')] },
    }),
  ]);
  expect(code).toBe(207);
  expect(outcomes(results)).toEqual([
    ['a1 recorded', 'a2 recorded'],
    ['a3 recorded'],
    [],
    ['a4 recorded'],
    [],
    ['a1 repeated', 'a5 recorded'],
  ]);
  expect(results.map((result) => ('code' in result ? result.code : 'taken'))).toEqual([
    'taken',
    'taken',
    'invalid',
    'taken',
    'invalid',
    'taken',
  ]);
});

it('the same again changes nothing', async () => {
  const all = [of(artifact('t2', 'b1')), of(status('t2', 'TASK_STATE_WORKING')), of(artifact('t2', 'b1'))];
  expect(outcomes((await observe(all)).results)).toEqual([['b1 recorded'], [], ['b1 repeated']]);
  expect(outcomes((await observe(all)).results)).toEqual([['b1 repeated'], [], ['b1 repeated']]);
});

it('a state that comes late does not undo a newer one', async () => {
  await observe(of(artifact('t3', 'c1')));
  await observe(of(status('t3', 'TASK_STATE_INPUT_REQUIRED', '2026-01-01T00:00:05Z')));
  await observe(of(status('t3', 'TASK_STATE_WORKING', '2026-01-01T00:00:01Z')));
  const [canceled] = (await observe(of(status('t3', 'TASK_STATE_CANCELED', '2026-01-01T00:00:09Z')))).results;
  expect(canceled?.withdrawn).toMatchObject([{ expectationId: 'c1', withdrawn: 'task_canceled' }]);
  const [late] = (await observe(of(status('t3', 'TASK_STATE_WORKING', '2026-01-01T00:00:10Z')))).results;
  expect(late?.withdrawn).toEqual([]);
});

it('an artifact that comes after the end of its task is withdrawn with it', async () => {
  await observe(of(status('t4', 'TASK_STATE_FAILED')));
  const [late] = (await observe(of(artifact('t4', 'd1')))).results;
  expect(late).toMatchObject({ withdrawn: [{ expectationId: 'd1', withdrawn: 'task_failed' }] });
});
