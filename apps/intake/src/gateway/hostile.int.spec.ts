// Clients and agents that do not behave, or do harm on purpose.
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Global, Module } from '@nestjs/common';
import { behindGateway, type EdgeApp, exampleCard, startEdgeApp, toldOf, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { GATEWAY_LIMITS, gatewayLimits } from './gateway-limits.ts';

const limits = {
  provide: GATEWAY_LIMITS,
  useValue: {
    ...gatewayLimits,
    ...{ answerBytes: 100_000, eventBytes: 50_000 },
    ...{ sendHeadersMs: 300, headersMs: 300, bodyMs: 300, streamMs: 300 },
  },
};

@Global()
@Module({ providers: [limits], exports: [limits] })
class TightModule {}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** An agent that is nothing but what it does; its card has both bindings. */
async function startRawAgent() {
  const state: { behave: Behaviour; card: Record<string, unknown> } = {
    behave: (_, response) => response.end('{}'),
    card: {},
  };
  const seen: { url: string; headers: IncomingMessage['headers'] }[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url === '/.well-known/agent-card.json') return void response.end(JSON.stringify(state.card));
    seen.push({ url: request.url ?? '', headers: request.headers });
    state.behave(request, response);
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.card = {
    ...exampleCard(),
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
  };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { url, seen, stop });
}

describe('the gateway', () => {
  let edge: EdgeApp;
  let agent: Awaited<ReturnType<typeof startRawAgent>>;
  let base: string;

  beforeAll(async () => {
    [edge, agent] = await Promise.all([startEdgeApp([TightModule, IntakeModule]), startRawAgent()]);
    base = await behindGateway(edge, agent, 'raw');
  });

  beforeEach(() => {
    agent.seen.length = 0;
    agent.behave = (_, response) => response.end('{}');
  });

  afterAll(() => Promise.all([edge.close(), agent.stop()]));

  const send = { jsonrpc: '2.0', id: 'r1', method: 'SendMessage', params: { message: { messageId: 'm1' } } };

  function post(path: string, body: unknown = send, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(base + path, { method: 'POST', body: JSON.stringify(body), headers, redirect: 'manual' });
  }

  /** The path as it is, which fetch would tidy. */
  function rawGet(path: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
    const { hostname, port } = new URL(edge.url);
    return new Promise((resolve, reject) => {
      httpRequest({ hostname, port, path, headers }, (response) => {
        let body = '';
        response.on('data', (piece: Buffer) => (body += piece.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
        .on('error', reject)
        .end();
    });
  }

  const openCount = async (): Promise<number> => {
    const rows: unknown[] = await edge.database.query(
      'SELECT number FROM duewatch_edge.forwarded_send WHERE ended_at IS NULL',
    );
    return rows.length;
  };

  it.each(['/../../admin', '/%2e%2e/admin', '/..%2fadmin', '/..\\admin', '/x/../../admin'])(
    'leads nowhere outside the interface by %s',
    async (below) => {
      const { status } = await rawGet(`/a2a/acme/raw/rest/1.0${below}`);
      expect([400, 404]).toContain(status);
      expect(agent.seen).toEqual([]);
    },
  );

  it('keeps what of a path is no traversal as it was spelt', async () => {
    await rawGet('/a2a/acme/raw/rest/1.0/tasks/a%2Fb%20c?x=%2F&y');
    expect(agent.seen.map(({ url }) => url)).toEqual(['/rest/tasks/a%2Fb%20c?x=%2F&y']);
  });

  it('knows no agent of another tenant, in the words of the binding', async () => {
    const rest = await fetch(`${edge.url}/a2a/globex/raw/rest/1.0/message:send`, { method: 'POST', body: '{}' });
    expect(rest.status).toBe(404);
    expect(rest.headers.get('content-type')).toContain('application/problem+json');
    expect(await rest.json()).toMatchObject({ type: '/problems/agent-unknown' });
    const rpc = await fetch(`${edge.url}/a2a/globex/raw/jsonrpc/1.0`, { method: 'POST', body: '{}' });
    expect(rpc.status).toBe(404);
    expect(await rpc.json()).toMatchObject({ jsonrpc: '2.0', error: { data: [{ reason: 'AGENT_UNKNOWN' }] } });
    expect((await fetch(`${edge.url}/a2a/globex/raw/.well-known/agent-card.json`)).status).toBe(404);
    expect((await fetch(`${edge.url}/a2a/Acme/raw/.well-known/agent-card.json`)).status).toBe(404);
    expect(agent.seen).toEqual([]);
  });

  it('serves a card for a host that is one', async () => {
    const path = '/a2a/acme/raw/.well-known/agent.json';
    const served = await rawGet(path, { host: 'gateway.example:8420' });
    expect(JSON.parse(served.body).supportedInterfaces[0].url).toBe(
      'http://gateway.example:8420/a2a/acme/raw/jsonrpc/1.0',
    );
    for (const host of ['evil.example/x?', 'a"b', 'user@evil.example', 'a,b']) {
      expect((await rawGet(path, { host })).status).toBe(400);
    }
  });

  it('says that a client has the card already', async () => {
    const first = await fetch(`${base}.well-known/agent-card.json`);
    // Its URLs are at the host that this client has named: no other client may be given it.
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    const headers = { 'if-none-match': `W/"x", ${first.headers.get('etag')}` };
    expect((await fetch(`${base}.well-known/agent-card.json`, { headers })).status).toBe(304);
  });

  it('follows no redirection, and gives none to the client', async () => {
    agent.behave = (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    const answer = await post('rest/1.0/message:send');
    expect(answer.status).toBe(502);
    expect(answer.headers.get('location')).toBeNull();
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('redirects (307)') });
    expect(agent.seen).toHaveLength(1);
  });

  it('says so where the agent hangs, and has the send looked up', async () => {
    agent.behave = () => undefined;
    const before = await openCount();
    const answer = await post('jsonrpc/1.0');
    expect(answer.status).toBe(504);
    expect(await answer.json()).toMatchObject({ id: 'r1', error: { data: [{ reason: 'AGENT_TIMEOUT' }] } });
    expect(await openCount()).toBe(before + 1);
  });

  it('says so where the agent is not there, and has nothing looked up', async () => {
    const gone = await startRawAgent();
    const at = await behindGateway(edge, gone, 'gone');
    await gone.stop();
    const answer = await fetch(`${at}jsonrpc/1.0`, { method: 'POST', body: JSON.stringify(send) });
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ error: { data: [{ reason: 'AGENT_UNREACHABLE' }] } });
    await until(async () => {
      const rows: { outcome: string }[] = await edge.database.query(
        `SELECT outcome FROM duewatch_edge.forwarded_send WHERE agent_id = 'gone'`,
      );
      return rows.length === 1 && rows[0]!.outcome === 'unsent';
    });
  });

  it('takes no answer larger than it may be, whether it says so or not', async () => {
    agent.behave = (_, response) => response.end('x'.repeat(100_001));
    expect((await post('jsonrpc/1.0')).status).toBe(502);
    agent.behave = (_, response) => {
      response.write('x'.repeat(60_000));
      response.end('x'.repeat(60_000));
    };
    const answer = await post('rest/1.0/message:send');
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('larger than 100000 bytes') });
  });

  it('ends a stream with the reason where an event is larger than it may be', async () => {
    agent.behave = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': hello\n\n');
      response.write(`data: ${'x'.repeat(50_001)}`);
    };
    const text = await (await post('jsonrpc/1.0', { ...send, method: 'SendStreamingMessage' })).text();
    expect(text).toMatch(/^: hello\n\nevent: error\ndata: \{"jsonrpc":"2.0","id":"r1","error":/);
  });

  it('breaks a stream off where the agent does', async () => {
    agent.behave = (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n', () => request.socket.destroy());
    };
    const answer = await post('jsonrpc/1.0', { ...send, method: 'SendStreamingMessage' });
    await expect(answer.text()).rejects.toThrow();
  });

  it('ends with its streams when it is told to stop, and leaves them to be looked up', async () => {
    agent.behave = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    };
    const limitless = await startEdgeApp([IntakeModule]);
    const at = await behindGateway(limitless, agent, 'raw');
    const body = JSON.stringify({ ...send, method: 'SendStreamingMessage' });
    const answer = await fetch(`${at}jsonrpc/1.0`, { method: 'POST', body });
    const reader = answer.body!.getReader();
    await reader.read();
    const { destroy } = limitless.database;
    let notes: unknown;
    limitless.database.destroy = async () => {
      notes = await limitless.database.query(
        'SELECT ended_at, look_at <= now() AS due FROM duewatch_edge.forwarded_send',
      );
      await destroy.call(limitless.database);
    };
    await limitless.close();
    await expect(reader.read()).rejects.toThrow();
    expect(notes).toEqual([{ ended_at: null, due: true }]);
  });

  it('takes no answer that it cannot read', async () => {
    agent.behave = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
    const answer = await post('jsonrpc/1.0');
    expect(answer.status).toBe(502);
    expect(agent.seen[0]!.headers['accept-encoding']).toBe('identity');
  });

  it('takes no body larger than the others of this API', async () => {
    const answer = await post('jsonrpc/1.0', { ...send, padding: 'x'.repeat(10_000_000) });
    expect(answer.status).toBe(413);
    expect(agent.seen).toEqual([]);
  });

  it('forwards no message that only the agent could read', async () => {
    const before = await openCount();
    const twice = JSON.stringify(send).replace('"SendMessage"', '"GetTask","method":"SendMessage"');
    for (const body of [twice, JSON.stringify([send])]) {
      const rpc = await fetch(`${base}jsonrpc/1.0`, { method: 'POST', body });
      expect(rpc.status).toBe(400);
      expect(await rpc.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
      const rest = await fetch(`${base}rest/1.0/message:send`, { method: 'POST', body: `[${body}]` });
      expect(rest.status).toBe(400);
      expect(await rest.json()).toMatchObject({ type: '/problems/malformed-body' });
    }
    expect(agent.seen).toEqual([]);
    expect(await openCount()).toBe(before);
  });

  it('does not run in circles where a card leads back to it', async () => {
    agent.card = {
      ...exampleCard(),
      supportedInterfaces: [{ url: `${base.replace('/raw/', '/circle/')}jsonrpc/1.0`, protocolBinding: 'JSONRPC' }],
    };
    const circle = await behindGateway(edge, agent, 'circle');
    const answer = await fetch(`${circle}jsonrpc/1.0`, { method: 'POST', body: JSON.stringify(send) });
    expect(await answer.text()).toContain('leads back to this gateway');
  });

  it('reads nothing out of what only looks like the agent’s work', async () => {
    const before = await toldOf(edge, 'raw');
    for (const body of [
      '[]',
      '7',
      '{"result":{"task":{"id":{},"status":7}}}',
      '{"result":{"task":null}}',
      '{"result"',
    ]) {
      agent.behave = (_, response) => response.end(body);
      expect(await (await post('jsonrpc/1.0')).text()).toBe(body);
    }
    expect(await toldOf(edge, 'raw')).toEqual(before);
  });
});
