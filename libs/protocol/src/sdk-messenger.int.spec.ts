import { jest } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AgentFault, FakeAgent, loopbackOutbound } from '#testing';
import { EXTENSION_URI } from './extension.ts';
import type { LapseRequest } from './lapse-message.ts';
import { SdkMessenger } from './sdk-messenger.ts';

const outbound = loopbackOutbound();
const messenger = new SdkMessenger({ outbound, now: () => Date.parse('2026-09-10T00:00:00Z'), timeoutMs: 5_000 });
const never = new AbortController().signal;

// The SDK's server warns of every reference to a task that it does not know.
beforeAll(() => jest.spyOn(console, 'warn').mockImplementation(() => undefined));

function request(messageId = 'lapse:e1:overdue:2026-09-10T20:15:00Z'): LapseRequest {
  const lapse = {
    expectationId: 'e1',
    kind: 'shipment.manifest',
    subject: { type: 'shipment', id: 'PA-1' },
    expects: 'the manifest',
    lapse: 'overdue',
    projectedDueAt: '2026-09-10T20:15:00Z',
    dueAt: '2026-09-10T20:15:00Z',
    lapsedAt: '2026-09-10T20:15:00.001Z',
    lineage: 0,
  } as const;
  return {
    message: {
      role: 'ROLE_USER',
      messageId,
      contextId: 'ctx-1',
      referenceTaskIds: ['task-1'],
      parts: [{ text: 'Overdue' }],
      extensions: [EXTENSION_URI],
      metadata: { [EXTENSION_URI]: { lapse } },
    },
    configuration: { returnImmediately: true },
  };
}

describe.each([
  ['JSONRPC', '1.0'],
  ['HTTP+JSON', '1.0'],
  ['JSONRPC', '0.3'],
  ['HTTP+JSON', '0.3'],
] as const)('an agent on %s %s', (binding, version) => {
  // 0.3's proto, and so its HTTP+JSON, has no place for references but the metadata.
  const isWithoutReferences = binding === 'HTTP+JSON' && version === '0.3';
  let agent: FakeAgent;
  beforeEach(async () => {
    agent = await FakeAgent.start(binding, version);
  });
  afterEach(() => agent.stop());

  it('gets the lapse with its block, its context, its references and the extension activated, and its task is known', async () => {
    const sent = request();
    const auth = { type: 'bearer', token: 't0ken' } as const;
    const outcome = await messenger.send({ card: agent.card, cardUrl: agent.url, auth }, sent, never);
    expect(outcome).toEqual({ outcome: 'acknowledged', taskId: expect.any(String) });
    expect(agent.received).toHaveLength(1);
    expect(agent.received[0]).toMatchObject({
      messageId: sent.message.messageId,
      contextId: 'ctx-1',
      referenceTaskIds: isWithoutReferences ? [] : ['task-1'],
      extensions: [EXTENSION_URI],
    });
    expect(agent.received[0]?.metadata).toEqual({
      ...sent.message.metadata,
      ...(isWithoutReferences && { referenceTaskIds: ['task-1'] }),
    });
    const { headers } = agent.sends[0] ?? {};
    expect(headers?.['a2a-version']).toBe(version);
    expect(headers?.[version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions']).toBe(EXTENSION_URI);
    expect(headers?.['authorization']).toBe('Bearer t0ken');
  });

  it.each<[string, AgentFault, object]>([
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '7' } },
      { outcome: 'unknown', retryAfterMs: 7_000 },
    ],
    [
      '429 until a date',
      { status: 429, headers: { 'retry-after': 'Thu, 10 Sep 2026 00:01:00 GMT' } },
      { outcome: 'unreachable', retryAfterMs: 60_000 },
    ],
    ['408', { status: 408 }, { outcome: 'unreachable' }],
    ['401', { status: 401, body: 'who?' }, { outcome: 'refused', permanent: true }],
    [
      'a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      { outcome: 'refused', permanent: true },
    ],
    ['500', { status: 500, body: {} }, { outcome: 'unknown' }],
    ['502', { status: 502 }, { outcome: 'unknown' }],
    ['503', { status: 503 }, { outcome: 'unknown' }],
    ['504', { status: 504 }, { outcome: 'unknown' }],
    ['an unreadable answer', { status: 200, body: '<html>' }, { outcome: 'unknown' }],
    ['an unreadable answer after it acted', 'garbage', { outcome: 'unknown' }],
    ['more than is read', { padBytes: 9_000_000 }, { outcome: 'unknown' }],
    ['an empty answer', { status: 200, body: {} }, { outcome: 'unknown' }],
    [
      'more than 4 MiB',
      { status: 200, body: 'x'.repeat(4_194_305) },
      { outcome: 'unknown', cause: expect.stringMatching(/larger than 4194304 bytes/) },
    ],
    [
      'more values than are read',
      { status: 200, body: `{"tasks":[${'[],'.repeat(250_000)}[]]}` },
      { outcome: 'unknown', cause: expect.stringMatching(/more than 250000 values/) },
    ],
    [
      'what is nested too deep',
      { status: 200, body: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
      { outcome: 'unknown', cause: expect.stringMatching(/deeper than 100 levels/) },
    ],
    ['a connection cut before it read', 'lost', { outcome: 'unknown' }],
    ['a connection cut after it acted', 'cut', { outcome: 'unknown' }],
  ])('that answers with %s', async (_, fault, expected) => {
    agent.sendFaults.push(fault);
    await expect(messenger.send({ card: agent.card }, request(), never)).resolves.toMatchObject(expected);
  });

  it('that never answers leaves it unknown', async () => {
    agent.sendFaults.push('hung');
    const impatient = new SdkMessenger({ outbound, now: () => 0, timeoutMs: 300 });
    await expect(impatient.send({ card: agent.card }, request(), never)).resolves.toMatchObject({ outcome: 'unknown' });
    expect(agent.received).toHaveLength(1);
  });

  it('that is gone is unreachable', async () => {
    await agent.stop();
    await expect(messenger.send({ card: agent.card }, request(), never)).resolves.toMatchObject({
      outcome: 'unreachable',
    });
    agent = await FakeAgent.start(binding, version);
  });
});

describe.each(['JSONRPC', 'HTTP+JSON'] as const)('looking for a lapse at an agent on %s', (binding) => {
  let agent: FakeAgent;
  beforeEach(async () => {
    agent = await FakeAgent.start(binding);
  });
  afterEach(() => agent.stop());

  it('finds the task that a cut answer left unknown', async () => {
    agent.sendFaults.push('cut');
    await messenger.send({ card: agent.card }, request(), never);
    await expect(messenger.find({ card: agent.card }, request(), never)).resolves.toEqual({
      outcome: 'found',
      taskId: expect.any(String),
    });
  });

  it('does not take another lapse of the context for it', async () => {
    const other = request('lapse:e1:overdue:2027-01-01T00:00:00Z');
    const lapse = { ...other.message.metadata[EXTENSION_URI].lapse, dueAt: '2027-01-01T00:00:00Z' };
    await messenger.send(
      { card: agent.card },
      { ...other, message: { ...other.message, metadata: { [EXTENSION_URI]: { lapse } } } },
      never,
    );
    await expect(messenger.find({ card: agent.card }, request(), never)).resolves.toEqual({ outcome: 'absent' });
  });

  it('finds it on a later page', async () => {
    await messenger.send({ card: agent.card }, request(), never);
    const others = Array.from({ length: 110 }, (_, index) => index);
    for (const index of others) {
      const other = request(`other-${index}`);
      const metadata = {
        [EXTENSION_URI]: { lapse: { ...other.message.metadata[EXTENSION_URI].lapse, expectationId: `o${index}` } },
      };
      await messenger.send({ card: agent.card }, { ...other, message: { ...other.message, metadata } }, never);
    }
    await expect(messenger.find({ card: agent.card }, request(), never)).resolves.toMatchObject({ outcome: 'found' });
  });

  it.each<[string, AgentFault, object]>([
    ['for now', { status: 503, headers: { 'retry-after': '3' } }, { temporary: true, retryAfterMs: 3_000 }],
    ['for now', 'lost', { temporary: true }],
    ['for now, though it answers', 'garbage', { temporary: true, answered: true }],
    ['for now, though it answers', { padBytes: 9_000_000 }, { temporary: true, answered: true }],
    ['ever', { status: 404 }, { temporary: false }],
  ])('cannot tell, %s, when the agent cannot be asked', async (_, fault, expected) => {
    agent.lookUpFaults.push(fault);
    await expect(messenger.find({ card: agent.card }, request(), never)).resolves.toMatchObject({
      outcome: 'cannotTell',
      ...expected,
    });
  });
});

describe('an agent that cannot be asked', () => {
  it.each(['JSONRPC', 'HTTP+JSON'] as const)('on 0.3 (%s) has no list of tasks: nobody can tell', async (binding) => {
    const agent = await FakeAgent.start(binding, '0.3');
    const found = messenger.find({ card: agent.card }, request(), never);
    await expect(found).resolves.toMatchObject({ outcome: 'cannotTell', temporary: false });
    await agent.stop();
  });

  it('has a card without an interface, or wants a credential that is none', async () => {
    await expect(messenger.send({ card: {} }, request(), never)).resolves.toMatchObject({
      outcome: 'refused',
      permanent: true,
    });
    await expect(messenger.find({ card: {} }, request(), never)).resolves.toMatchObject({
      outcome: 'cannotTell',
      temporary: false,
    });
    const card = {
      supportedInterfaces: [{ url: 'http://127.0.0.1:1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    const auth = { type: 'header', name: 'not a name', value: 'x' } as const;
    const target = { card, cardUrl: 'http://127.0.0.1:1', auth };
    await expect(messenger.send(target, request(), never)).resolves.toMatchObject({ outcome: 'refused' });
  });

  it('has a name that resolves to nothing', async () => {
    const card = { url: 'http://agent.invalid/', protocolVersion: '0.3.0' };
    await expect(messenger.send({ card }, request(), never)).resolves.toMatchObject({ outcome: 'unreachable' });
  });
});

describe('an agent that shows no history', () => {
  let server: Server;
  let shown: unknown[];
  let card: unknown;
  beforeAll(async () => {
    server = createServer((incoming, response) => {
      incoming.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify(incoming.url?.startsWith('/tasks/') ? { id: 'x', contextId: 'ctx-1' } : { tasks: shown }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    card = { supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }] };
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('is recognised by the lapse block in the task itself', async () => {
    shown = [{ id: 'x', contextId: 'ctx-1', metadata: { [EXTENSION_URI]: request().message.metadata[EXTENSION_URI] } }];
    await expect(messenger.find({ card }, request(), never)).resolves.toEqual({ outcome: 'found', taskId: 'x' });
  });

  it.each([
    ['a NUL', 'x\0'],
    ['half a character', 'x\ud800'],
    ['no end', 'x'.repeat(100_000)],
    ['nothing in it', ''],
  ])('has no task under an id with %s: that may not enter the log', async (_, id) => {
    const cannotTell = { outcome: 'cannotTell', cause: expect.stringMatching(/^[ -~]{1,100}$/), temporary: false };
    const metadata = { [EXTENSION_URI]: request().message.metadata[EXTENSION_URI] };
    shown = [{ id, contextId: 'ctx-1', metadata }];
    await expect(messenger.find({ card }, request(), never)).resolves.toEqual(cannotTell);
    shown = [{ id, contextId: 'ctx-1' }];
    await expect(messenger.find({ card }, request(), never)).resolves.toEqual(cannotTell);
  });

  it('cannot tell otherwise', async () => {
    shown = [
      { id: 'task-1', contextId: 'ctx-1' },
      { id: 'x', contextId: 'ctx-1' },
    ];
    await expect(messenger.find({ card }, request(), never)).resolves.toMatchObject({
      outcome: 'cannotTell',
      temporary: false,
    });
  });

  it('has none of ours where only the origin task is there', async () => {
    shown = [{ id: 'task-1', contextId: 'ctx-1' }];
    await expect(messenger.find({ card }, request(), never)).resolves.toEqual({ outcome: 'absent' });
  });
});
