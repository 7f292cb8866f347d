// Bodies of clients that have gone.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as call, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { maxTenantRequestCount } from './limits.ts';
import { readBytes } from './read-bytes.ts';

let server: Server;
let url: string;
/** What the server does before it reads a body. */
let before: (response: ServerResponse) => Promise<unknown>;
const outcomes: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await before(response);
  try {
    const bytes = await readBytes(request as Request, response as Response, 'acme');
    outcomes.push(new TextDecoder().decode(bytes));
    response.end();
  } catch (error) {
    outcomes.push((error as Error).message);
    response.end();
  }
}

it('hold nothing of their tenant’s share, where they went before the body was asked for', async () => {
  before = (response) => once(response, 'close');
  for (let count = 0; count < maxTenantRequestCount; count += 1) {
    const gone = call(url, { method: 'POST', agent: false }).on('error', () => undefined);
    const come = once(server, 'request');
    gone.end('{}');
    const [, response] = (await come) as [IncomingMessage, ServerResponse];
    const closed = once(response, 'close');
    gone.destroy();
    await closed;
  }
  before = () => Promise.resolve();
  expect(await fetch(url, { method: 'POST', body: 'here' })).toMatchObject({ status: 200 });
  expect(outcomes).toHaveLength(maxTenantRequestCount + 1);
  expect(new Set(outcomes)).toEqual(new Set(['the body was cut off', 'here']));
});
