// Who follows a task and does not read: what it costs.
import { request as httpRequest, createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TaskState } from '@a2a-js/sdk';
import express from 'express';
import { PinoLogger, systemClock } from '#runtime';
import { loopbackOutbound, until } from '#testing';
import { AgentHost, openHostStores } from '../../apps/agent-host/src/agent-host.module.ts';
import { cardOf, pathOf } from './served-agent.ts';

const chunk = 'x'.repeat(100_000);
const chunkCount = 400;

it('of a stream that is not read little is kept, and the agent goes on', async () => {
  const stores = await openHostStores({
    ...{ places: { tasks: 'memory', sessions: 'memory' }, databaseUrl: undefined, clock: systemClock },
    report: () => undefined,
  });
  const outbound = loopbackOutbound();
  const handle = async (turn: { say(text: string): Promise<void> }): Promise<void> => {
    for (let count = 0; count < chunkCount; count += 1) {
      await turn.say(chunk);
      await new Promise(setImmediate);
    }
  };
  const times = { leaseMs: 15_000, cancelPatienceMs: 1_000 };
  const host = AgentHost.of(
    cardOf(),
    { handle },
    { stores, outbound, clock: systemClock, log: new PinoLogger('fatal'), ...times },
  );
  const responses: ServerResponse[] = [];
  const app = express().use((_, response, next) => {
    responses.push(response);
    next();
  });
  host.mount(app);
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const { port } = server.address() as AddressInfo;
  const path = `${pathOf(['HTTP+JSON', '1.0'])}/message:stream`;
  const headers = { 'A2A-Version': '1.0', 'content-type': 'application/json' };
  const client = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (answer) => answer.pause());
  client.on('error', () => undefined);
  client.end(JSON.stringify({ message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] } }));
  await until(async () => {
    const { tasks } = await stores.tasks.list({ application: 'Tested agent', user: '' }, { pageSize: 1 });
    return tasks[0]?.status?.state === TaskState.TASK_STATE_COMPLETED;
  }, 'the end of the task');
  expect(responses[0]?.writableLength).toBeLessThan(10 * chunk.length);

  client.destroy();
  await host.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await outbound.close();
  await stores.close();
});
