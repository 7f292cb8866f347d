// Asking a real agent how its tasks stand, over every wire.
import { jest } from '@jest/globals';
import { FollowedAgent, loopbackOutbound } from '#testing';
import { EXTENSION_URI } from './extension.ts';
import { readObservation } from './observation.ts';
import { SdkTaskReader } from './sdk-task-reader.ts';
import { type StreamPart, taskIdOf } from './stream-part.ts';

const outbound = loopbackOutbound();
const reader = new SdkTaskReader({ outbound, now: () => Date.now(), timeoutMs: 5_000 });
const impatient = new SdkTaskReader({ outbound, now: () => Date.now(), timeoutMs: 200 });
const never = new AbortController().signal;
const block = { facts: [{ factKey: 'departed:1', observedAt: '2026-09-10T00:00:00Z' }] };
const nobody = { name: '', sources: [] };

/** What the log would be told of it. */
function inputsOf(part: object): readonly unknown[] {
  const read = readObservation({ agentId: 'booking', ...part }, nobody);
  return read.ok ? read.inputs : [];
}

// The SDK's server tells the console of every task that it does not know.
beforeAll(() => jest.spyOn(console, 'error').mockImplementation(() => undefined));

let agent: FollowedAgent;
afterEach(() => agent.stop());

const wires = [
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const;

describe.each(wires)('an agent on %s %s', (binding, version) => {
  beforeEach(async () => {
    agent = await FollowedAgent.start({ binding, version, streaming: true, pushNotifications: true });
  });

  it('says how a task stands, its artifacts with it', async () => {
    const taskId = await agent.begin('m1');
    agent.artifact(taskId, 'a1', block);
    agent.status(taskId, 'TASK_STATE_INPUT_REQUIRED', block);
    const seen = await reader.read({ card: agent.card }, taskId, never);
    expect(seen.statusAtMs).toEqual(expect.any(Number));
    expect(inputsOf({ task: seen.task })).toEqual([
      expect.objectContaining({ type: 'statusObserved', taskId, state: 'TASK_STATE_INPUT_REQUIRED' }),
      expect.objectContaining({ type: 'artifactObserved', taskId }),
      expect.objectContaining({ state: 'TASK_STATE_INPUT_REQUIRED', message: expect.anything() }),
    ]);
  });

  it('streams what becomes of it, beginning with how it stands', async () => {
    const taskId = await agent.begin('m1');
    const parts: StreamPart[] = [];
    for await (const part of reader.follow({ card: agent.card }, taskId, never)) {
      parts.push(part);
      if (parts.length === 1) agent.artifact(taskId, 'a1', block);
      if (parts.length === 2) agent.status(taskId, 'TASK_STATE_COMPLETED');
    }
    expect(parts.map((part) => Object.keys(part)[0])).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
    expect(parts.map(taskIdOf)).toEqual([taskId, taskId, taskId]);
    expect(parts.flatMap(inputsOf)).toMatchObject([
      { type: 'statusObserved', state: 'TASK_STATE_WORKING' },
      { type: 'artifactObserved', artifact: { metadata: { [EXTENSION_URI]: block } } },
      { type: 'statusObserved', state: 'TASK_STATE_COMPLETED' },
    ]);
  });

  it('ends its stream when it is not wanted any more', async () => {
    const taskId = await agent.begin('m1');
    const ending = new AbortController();
    const parts: unknown[] = [];
    const following = (async () => {
      for await (const part of reader.follow({ card: agent.card }, taskId, ending.signal)) {
        parts.push(part);
        ending.abort();
      }
    })();
    await expect(following).rejects.toMatchObject({ name: 'TaskReadError' });
    expect(parts).toHaveLength(1);
  });

  it('takes where to send what becomes of a task', async () => {
    const taskId = await agent.begin('m1');
    await reader.askToPush({ card: agent.card }, { taskId, url: 'http://127.0.0.1:9/push', token: 't' }, never);
    expect(agent.askedFor('push')).toBe(1);
  });

  it('knows no task of another id: that is no state of it', async () => {
    const asked = { card: agent.card };
    await expect(reader.read(asked, 'none', never)).rejects.toMatchObject({ fault: 'unknownTask', retryable: false });
    const stream = reader.follow(asked, 'none', never)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ fault: 'unknownTask' });
  });

  it('that is over streams nothing of it', async () => {
    const taskId = await agent.begin('m1');
    agent.status(taskId, 'TASK_STATE_COMPLETED');
    const stream = reader.follow({ card: agent.card }, taskId, never)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ fault: 'unsupported' });
  });

  it('that is away has said nothing', async () => {
    const taskId = await agent.begin('m1');
    agent.isAway = true;
    await expect(reader.read({ card: agent.card }, taskId, never)).rejects.toMatchObject({
      fault: 'away',
      retryable: true,
    });
  });

  it(version === '1.0' ? 'lists the tasks that are as new as asked' : 'has no list of tasks', async () => {
    const taskId = await agent.begin('m1');
    agent.artifact(taskId, 'a1', block);
    const page = { pageToken: '', afterMs: Date.now() - 60_000 };
    const listed = reader.list({ card: agent.card }, page, never);
    if (version === '0.3') return expect(listed).rejects.toMatchObject({ fault: 'unsupported' });
    expect(await listed).toMatchObject({ tasks: [{ taskId, statusAtMs: expect.any(Number) }], nextPageToken: '' });
    expect(inputsOf({ task: (await listed).tasks[0]?.task })).toHaveLength(2);
    const later = { pageToken: '', afterMs: Date.now() + 60_000 };
    expect(await reader.list({ card: agent.card }, later, never)).toMatchObject({ tasks: [] });
  });
});

it('an agent whose stream never begins is away, in time', async () => {
  agent = await FollowedAgent.start({ streaming: true });
  const taskId = await agent.begin('m1');
  agent.isHung = true;
  const stream = impatient.follow({ card: agent.card }, taskId, never)[Symbol.asyncIterator]();
  await expect(stream.next()).rejects.toMatchObject({ fault: 'away' });
  await expect(impatient.read({ card: agent.card }, taskId, never)).rejects.toMatchObject({ fault: 'away' });
});

it('a card without a way to call the agent is a refusal', async () => {
  agent = await FollowedAgent.start();
  await expect(reader.read({ card: {} }, 'task', never)).rejects.toMatchObject({ fault: 'refused' });
});
