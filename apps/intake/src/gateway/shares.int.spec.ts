// Calls that hang, and what is left for others while they do.
import { request as httpRequest, type Server } from 'node:http';
import { Global, Module } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { behindGateway, GatewayRig, ScriptedAgent, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { GATEWAY_LIMITS, gatewayLimits } from './gateway-limits.ts';

const shares = { ...gatewayLimits.shares, agentCount: 2, agentBytes: 100_000, tenantCount: 3 };
const limits = { provide: GATEWAY_LIMITS, useValue: { ...gatewayLimits, shares } };

@Global()
@Module({ providers: [limits], exports: [limits] })
class FewModule {}

describe('while an agent does not answer', () => {
  let rig: GatewayRig;
  let other: ScriptedAgent;
  let otherBase: string;
  let release: (() => void)[] = [];

  beforeAll(async () => {
    [rig, other] = await Promise.all([GatewayRig.start([FewModule, IntakeModule]), ScriptedAgent.start()]);
    otherBase = await behindGateway(rig.edge, other, 'other');
  });

  afterEach(async () => {
    rig.restore();
    for (const each of release) each();
    release = [];
    await until(async () => (await rig.send('say')).status === 200);
  });

  afterAll(() => Promise.all([rig.close(), other.stop()]));

  const message = { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [] } };

  /** So many of the agent's next answers wait. */
  const hang = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      rig.agent.answers.push((request, response) => {
        const { id } = request.body as { readonly id: unknown };
        release.push(() => {
          if (!response.headersSent) response.json({ jsonrpc: '2.0', id, result: message });
        });
      });
    }
  };

  const sendToOther = (): Promise<Response> => {
    const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
    return fetch(`${otherBase}jsonrpc/1.0`, { method: 'POST', body: rig.envelope('SendMessage', 'say'), headers });
  };

  const full = { status: 429, error: { code: -32600, data: [{ reason: 'TENANT_OVERLOADED' }] } };

  it('others are called, and its tenant writes', async () => {
    hang(2);
    const waiting = [rig.send('say'), rig.send('say')];
    await until(() => release.length === 2);
    const refused = await rig.send('say');
    expect(refused).toMatchObject(full);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await sendToOther()).status).toBe(200);
    const json = { cardUrl: rig.agent.url };
    const key = await rig.edge.key();
    expect((await rig.edge.call('PUT', '/v1/agents/booking', { key, json })).status).toBe(200);
    for (const each of release) each();
    for (const each of await Promise.all(waiting)) expect(each.status).toBe(200);
  });

  it('its calls count, though their clients have gone', async () => {
    const server = rig.edge.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
    const openCount = (): Promise<number> =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
      );
    hang(2);
    const clients = [0, 1].map(() => {
      const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
      const client = httpRequest(`${rig.base}jsonrpc/1.0`, { method: 'POST', headers, agent: false });
      client.on('error', () => undefined).end(rig.envelope('SendMessage', 'say'));
      return client;
    });
    await until(() => release.length === 2);
    const before = await openCount();
    for (const client of clients) client.destroy();
    await until(async () => (await openCount()) <= before - 2);
    expect(await rig.send('say')).toMatchObject(full);
    for (const each of release) each();
    await until(async () => (await rig.send('say')).status === 200);
  });

  it('what clients send to it is bounded, and is read before it is refused', async () => {
    hang(1);
    const waiting = rig.send('x'.repeat(60_000));
    await until(() => release.length === 1);
    expect(await rig.send('x'.repeat(60_000))).toMatchObject(full);
    expect((await rig.send('x'.repeat(20_000))).status).toBe(200);
    release[0]!();
    expect((await waiting).status).toBe(200);
  });

  it('what it answers is bounded too: of what was read it is to be asked again, of a message it is asked', async () => {
    let end = (): void => undefined;
    const huge = (isHeld: boolean): void => {
      rig.agent.answers.push((_, response) => {
        response
          .type('application/json')
          .write(`{"jsonrpc":"2.0","id":1,"result":{"id":"huge"},"pad":"${'x'.repeat(90_000)}`);
        if (isHeld) end = () => void response.end('"}');
        else response.end('"}');
      });
    };
    huge(true);
    const waiting = rig.getTask('huge');
    // Its bytes are held once the next is refused for them.
    const refusalOf = async (call: () => ReturnType<typeof rig.getTask>, status: number) => {
      let refused: Awaited<ReturnType<typeof call>> | undefined;
      await until(async () => {
        huge(false);
        refused = await call();
        return refused.status === status;
      });
      return refused;
    };
    expect(await refusalOf(() => rig.getTask('huge'), 429)).toMatchObject(full);
    expect(await refusalOf(() => rig.send('say'), 502)).toMatchObject({
      error: { data: [{ reason: 'ANSWER_UNRECORDED' }] },
    });
    expect(await rig.noteOf(rig.messageId)).toMatchObject({ outcome: null });
    expect((await rig.send('say')).status).toBe(200);
    end();
    expect((await waiting).status).toBe(200);
    huge(false);
    expect((await rig.getTask('huge')).status).toBe(200);
  });

  it('a client that goes away before its request is whole holds nothing', async () => {
    for (let count = 0; count < 5; count += 1) {
      const headers = { 'content-length': '100', 'content-type': 'application/json' };
      const client = httpRequest(`${rig.base}jsonrpc/1.0`, { method: 'POST', headers, agent: false });
      await new Promise<void>((resolve) => {
        client.on('error', () => undefined).on('close', resolve);
        client.on('socket', (socket) => socket.once('connect', () => client.write('{', () => client.destroy())));
      });
    }
    await until(async () => (await rig.send('say')).status === 200);
  });
});
