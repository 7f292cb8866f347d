// What agents take and what is told of them: typed input, the policy on output, sessions, extensions.
import type { StreamResponse } from '@a2a-js/sdk';
import type { AgentHandler, OutputPolicy, Turn } from '#agent-handler';
import { all, clientOf, isMessage, request, type Way, ServedAgent, textsOf } from './served-agent.ts';

const way: Way = ['HTTP+JSON', '1.0'];
const extension = 'https://e.example/ext';
let agent: ServedAgent | undefined;
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

async function serve(handler: AgentHandler, card: Record<string, unknown> = {}) {
  agent = await ServedAgent.start(handler, { card });
  return agent.client(way);
}

const talkative = (output?: OutputPolicy): AgentHandler => ({
  ...(output && { output }),
  handle: async (turn: Turn) => {
    await turn.think('hm');
    await turn.activity({ agent: 'a', node: 'n', phase: 'started' });
    await turn.decision({ go: true });
    await turn.usage({ model: 'm', inputTokens: 3, outputTokens: 4 }, { provider: 'raw' });
    await turn.usage({ model: 'm', inputTokens: 1, outputTokens: 1 });
    await turn.say('hello');
    return undefined;
  },
});

/** The metadata of each update, under the namespace. */
function toldOf(events: readonly StreamResponse[], namespace = 'harnest'): unknown[] {
  return events.flatMap(({ payload }) => {
    if (payload?.$case === 'artifactUpdate') return [payload.value.artifact?.metadata?.[namespace]];
    return payload?.$case === 'statusUpdate' && payload.value.metadata ? [payload.value.metadata[namespace]] : [];
  });
}

const activity = { type: 'agent_activity', agent: 'a', node: 'n', phase: 'started' };
const usage = { type: 'agent_metadata', model: 'm', inputTokens: 3, outputTokens: 4 };
const agentIs = { agent: 'Tested agent' };
const total = { agent_metadata: { inputTokens: 4, outputTokens: 5 } };

describe('a stream', () => {
  it('tells what agents do and the tokens of models, and not what they think or decide', async () => {
    const client = await serve(talkative());
    const told = toldOf(await all(client.sendMessageStream(request('x'))));
    expect(told).toEqual([
      activity,
      usage,
      { ...usage, inputTokens: 1, outputTokens: 1 },
      agentIs,
      { ...agentIs, ...total },
    ]);
  });

  it('tells what it is asked to, under the name that it is asked to', async () => {
    const policy: OutputPolicy = {
      namespace: 'acme',
      thinking: true,
      decisionResults: true,
      agentActivity: false,
      agentMetadata: 'raw',
    };
    const client = await serve(talkative(policy));
    const told = toldOf(await all(client.sendMessageStream(request('x'))), 'acme');
    expect(told.slice(0, 3)).toEqual([
      { type: 'thinking' },
      { type: 'decision_result', value: { go: true } },
      { ...usage, raw: { provider: 'raw' } },
    ]);
  });

  it('tells nothing of models where that is suppressed, and neither does a Message', async () => {
    const client = await serve(talkative({ agentMetadata: 'suppress' }));
    const told = toldOf(await all(client.sendMessageStream(request('x'))));
    expect(told).toEqual([activity, agentIs, agentIs]);
    expect((await client.sendMessage(request('x'))).metadata).toEqual({ harnest: agentIs });
  });
});

it('a Message says whose answer it is, and what it took', async () => {
  const client = await serve(talkative());
  expect((await client.sendMessage(request('x'))).metadata).toEqual({ harnest: { ...agentIs, ...total } });
});

it('who says nothing has said an empty text: no message and no artifact is without parts', async () => {
  const handler: AgentHandler = {
    handle: async (turn) => {
      if (turn.message.text === 'nothing') return undefined;
      await turn.artifact({ artifactId: 'a', parts: [] });
      return { outcome: 'rejected', message: [] };
    },
  };
  const client = await serve(handler);
  const answer = await client.sendMessage(request('nothing'));
  expect([isMessage(answer), textsOf(answer)]).toEqual([true, ['']]);
  const task = await client.sendMessage(request('empty'));
  expect(textsOf(task)).toEqual(['']);
  expect(isMessage(task) || task.status?.message?.parts.map(({ content }) => content?.value)).toEqual(['']);
});

it('a typed agent takes exactly one data part that is as its schema says', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  const handler: AgentHandler = {
    input: { schema },
    handle: async (turn) => (
      await turn.say({ data: { twice: (turn.message.data as { n: number }).n * 2 } }),
      undefined
    ),
  };
  const client = await serve(handler, { defaultInputModes: ['application/json'] });
  const send = (...parts: object[]) => client.sendMessage(request('', { parts }));
  expect(textsOf(await send({ data: { n: 21 } }))).toEqual([{ twice: 42 }]);
  for (const parts of [[{ text: '{"n":1}' }], [{ data: { n: 1 } }, { data: { n: 2 } }]]) {
    await expect(send(...parts)).rejects.toMatchObject({ name: 'ContentTypeNotSupportedError' });
  }
  for (const parts of [[{ data: { n: 'x' } }], []]) {
    await expect(send(...parts)).rejects.toMatchObject({ name: 'RequestMalformedError' });
  }
  await expect(send({ data: {} })).rejects.toThrow("it must have required property 'n'");
});

it('a context is the session, of one user', async () => {
  const handler: AgentHandler = {
    handle: async (turn) => {
      const count = Number((await turn.session.read()) ?? 0) + 1;
      await turn.session.write(count);
      await turn.say(String(count));
      return undefined;
    },
  };
  const client = await serve(handler);
  const count = async (contextId: string) => textsOf(await client.sendMessage(request('x', { contextId })));
  expect([await count('a'), await count('a'), await count('b')]).toEqual([['1'], ['2'], ['1']]);
});

it('an extension of the card is activated and echoed, also where a stream is', async () => {
  const handler: AgentHandler = {
    extensions: [extension],
    handle: async (turn) => (await turn.say(turn.extensions.join()), undefined),
  };
  const extensions = [{ uri: extension, required: true }];
  await serve(handler, { capabilities: { streaming: true, extensions } });
  const url = agent?.url ?? '';
  for (const each of [way, ['JSONRPC', '1.0']] as const) {
    const asks = await clientOf(url, each, { 'a2a-extensions': `${extension}, https://unknown.example` });
    const answer = await asks.sendMessage(request('x'));
    expect([isMessage(answer), textsOf(answer)]).toEqual([true, [extension]]);
    const silent = await clientOf(url, each);
    await expect(silent.sendMessage(request('x'))).rejects.toMatchObject({ name: 'ExtensionSupportRequiredError' });
  }
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'SendStreamingMessage',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] } },
  };
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', 'a2a-extensions': extension };
  const stream = await fetch(`${url}/agent/rpc-1-0`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(stream.headers.get('a2a-extensions')).toBe(extension);
  expect(await stream.text()).toContain('TASK_STATE_COMPLETED');
});
