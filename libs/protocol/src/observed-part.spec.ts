import { METADATA_KEY } from './extension.ts';
import { type ObservationRead, readObservation } from './observation.ts';

const caller = { name: 'ops', sources: [] };
const fact = { factKey: 'k', observedAt: '2026-09-10T20:15:00Z' };
const ofTask = { agentId: 'booking', taskId: 't1', contextId: 'c1' };

const block = (content: object): object => ({ metadata: { [METADATA_KEY]: content } });
const artifact = (artifactId: string, content: object): object => ({ artifactId, parts: [], ...block(content) });

function read(item: object): Extract<ObservationRead, { ok: true }> {
  const result = readObservation({ agentId: 'booking', ...item }, caller);
  if (!result.ok) throw new Error(JSON.stringify(result.refusals));
  return result;
}

function refused(item: unknown): readonly string[] {
  const result = readObservation(item, caller);
  return result.ok ? [] : result.refusals.map(({ path }) => path);
}

describe('what A2A says is read in whatever form it comes', () => {
  const work = { contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } };
  const legacy = { contextId: 'c1', status: { state: 'working' } };
  const state = { type: 'statusObserved', ...ofTask, state: 'TASK_STATE_WORKING' };

  it.each<[string, object]>([
    ['a StreamResponse', { task: { id: 't1', ...work } }],
    ['a tagged task of 0.3 in its member', { task: { kind: 'task', id: 't1', ...legacy } }],
    ['a tagged task of 0.3', { kind: 'task', id: 't1', ...legacy }],
    ['a tagged status of 0.3', { kind: 'status-update', taskId: 't1', final: false, ...legacy }],
    ['a tagged status of 0.3 in its member', { statusUpdate: { kind: 'status-update', taskId: 't1', ...legacy } }],
    ['a bare task', { id: 't1', ...work }],
    ['the answer to SendMessage', { jsonrpc: '2.0', id: 1, result: { task: { id: 't1', ...work } } }],
    ['the answer to GetTask', { jsonrpc: '2.0', id: 1, result: { id: 't1', ...work } }],
    ['an event of a stream', { jsonrpc: '2.0', id: 1, result: { statusUpdate: { taskId: 't1', ...work } } }],
    ['an event of a stream of 0.3', { id: 'a', result: { kind: 'status-update', taskId: 't1', ...legacy } }],
  ])('%s', (_, item) => {
    expect(read(item).inputs).toEqual([state]);
  });

  it('a tagged artifact, and a tagged message, of 0.3', () => {
    const carried = { taskId: 't1', contextId: 'c1', artifact: artifact('a1', { facts: [fact] }) };
    const artifactObserved = expect.objectContaining({ type: 'artifactObserved', ...ofTask });
    expect(read({ kind: 'artifact-update', ...carried }).inputs).toEqual([artifactObserved]);
    const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [], ...block({ facts: [fact] }) };
    expect(read(message).inputs).toMatchObject([{ type: 'factsReported', reporter: 'agent:booking' }]);
    expect(read({ result: message }).inputs).toMatchObject([{ type: 'factsReported', reporter: 'agent:booking' }]);
  });

  it('a bare message, and one by the name of 0.3’s proto', () => {
    const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [], ...block({ facts: [fact] }) };
    for (const result of [message, { msg: message }]) {
      expect(read({ result }).inputs).toMatchObject([{ type: 'factsReported', reporter: 'agent:booking' }]);
    }
  });

  it('with the place of what is wrong in it', () => {
    expect(refused({ agentId: 'a', result: { task: { id: 't', contextId: 'c' } } })).toEqual(['$.result.task.status']);
    expect(refused({ agentId: 'a', result: { id: 7, status: {} } })).toEqual(['$']);
    expect(refused({ agentId: 'a', kind: 'task', id: 't', contextId: 'c' })).toEqual(['$.status']);
  });

  it.each([
    ['a list of tasks', { result: { tasks: [], nextPageToken: '' } }, /send each of them as an item/],
    ['a list of tasks by itself', { tasks: [{ id: 't1', ...work }] }, /send each of them as an item/],
    ['an error of JSON-RPC', { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no' } }, /exactly one of/],
    ['two members in an answer', { result: { task: {}, message: {} } }, /exactly one of/],
    ['an unknown kind', { kind: 'reminder', id: 't1' }, /exactly one of/],
  ])('but not %s', (_, item, message) => {
    const result = readObservation({ agentId: 'booking', ...item }, caller);
    expect(result).toEqual({ ok: false, refusals: [{ path: '$', message: expect.stringMatching(message) }] });
  });
});
