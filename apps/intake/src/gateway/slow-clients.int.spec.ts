// Clients that take a stream and do not read it.
import { type ClientRequest, request as httpRequest } from 'node:http';
import { Global, Module } from '@nestjs/common';
import { GatewayRig, until } from '#testing';
import { IntakeModule } from '../intake.module.ts';
import { GATEWAY_LIMITS, gatewayLimits } from './gateway-limits.ts';

const limits = { provide: GATEWAY_LIMITS, useValue: { ...gatewayLimits, drainMs: 100 } };

@Global()
@Module({ providers: [limits], exports: [limits] })
class ImpatientModule {}

describe('a client that reads nothing', () => {
  let rig: GatewayRig;
  const clients: ClientRequest[] = [];

  beforeAll(async () => {
    rig = await GatewayRig.start([ImpatientModule, IntakeModule]);
  });

  afterAll(async () => {
    for (const client of clients) client.destroy();
    await rig.close();
  });

  /** Its end is the client's being cut off. */
  const readNothing = (body: string): Promise<void> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'A2A-Version': '1.0' };
      const client = httpRequest(`${rig.base}jsonrpc/1.0`, { method: 'POST', headers, agent: false });
      clients.push(client);
      client.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined));
      client.on('socket', (socket) => socket.on('close', () => resolve()));
      client.end(body);
    });

  const task = (id: string) => ({ id, contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } });

  it('is cut off, and what its message comes to is watched to the end', async () => {
    const result = { task: task('of-a-slow-client') };
    rig.agent.answers.push((_, response) => {
      response.type('text/event-stream');
      for (let count = 0; count < 60; count += 1) response.write(`: ${'x'.repeat(1_000_000)}\n`);
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
    });
    void readNothing(rig.envelope('SendStreamingMessage', 'say'));
    await until(() => rig.isTold('of-a-slow-client'));
    await until(async () => (await rig.noteOf(rig.messageId))?.['outcome'] === 'answered');
  });

  it('is given a large answer whole where it does read', async () => {
    const padding = 'é'.repeat(2_000_000);
    rig.agent.answers.push((_, response) => void response.json({ jsonrpc: '2.0', id: 1, result: {}, padding }));
    const answer = await rig.post(rig.envelope('SendMessage', 'say'));
    const text = await answer.text();
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text)).toMatchObject({ padding });
  });
});
