// The example agent for compatibility kits, as the kit drives it: by the prefix of a message's id.
import { TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import handler from '../../examples/compatibility-agent/handler.ts';
import { all, isMessage, kindsOf, request, ServedAgent, type Way } from './served-agent.ts';

describe.each<Way>([
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '1.0'],
])('over %s of %s', (...way) => {
  let agent: ServedAgent;
  let client: Client;
  beforeAll(async () => {
    agent = await ServedAgent.start(handler);
    client = await agent.client(way);
  });
  afterAll(() => agent.close());

  it('it behaves as the kit asks', async () => {
    const state = (name: keyof typeof TaskState) => ({ status: { state: TaskState[name] } });
    const sent = (messageId: string, over: object = {}) => client.sendMessage(request('x', { messageId, ...over }));
    expect(await sent('tck-complete-task-1')).toMatchObject({
      status: { state: TaskState.TASK_STATE_COMPLETED, message: { parts: [{ content: { value: 'Hello from TCK' } }] } },
    });
    expect(isMessage(await sent('tck-message-response-1'))).toBe(true);
    expect(await sent('tck-reject-task-1')).toMatchObject(state('TASK_STATE_REJECTED'));
    expect(await sent('tck-artifact-file-url-1')).toMatchObject({
      artifacts: [{ parts: [{ content: { $case: 'url' }, filename: 'output.txt', mediaType: 'text/plain' }] }],
    });
    expect(await sent('tck-artifact-file-1')).toMatchObject({
      artifacts: [{ parts: [{ content: { $case: 'raw' } }] }],
    });
    const waiting = await sent('tck-input-required-1');
    expect(waiting).toMatchObject(state('TASK_STATE_INPUT_REQUIRED'));
    const taskId = isMessage(waiting) ? '' : waiting.id;
    expect(await sent('tck-input-required-2', { taskId })).toMatchObject(state('TASK_STATE_INPUT_REQUIRED'));
    expect(await sent('tck-complete-task-2', { taskId })).toMatchObject({
      id: taskId,
      ...state('TASK_STATE_COMPLETED'),
    });
    const events = kindsOf(await all(client.sendMessageStream(request('x', { messageId: 'tck-stream-001' }))));
    expect(events.filter((kind) => kind === 'artifact')).toHaveLength(1);
    expect([events[0], events.at(-1)]).toEqual(['task', `state ${TaskState.TASK_STATE_COMPLETED}`]);
  });
});
