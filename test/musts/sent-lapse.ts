// What an agent receives when a lapse is submitted to it: the watcher's own messenger, over real HTTP.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExpectationLapsed } from '#expectations';
import { AddressPolicy, loopbackRanges, Outbound } from '#outbound';
import { type AgentAuth, lapseRequest, SdkMessenger } from '#protocol';

export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  /** Of JSON-RPC; absent where nothing came. */
  readonly method?: string;
}

/** Submits the lapse to an agent on JSON-RPC, 1.0; resolves to what it received. */
export async function requestOf(lapsed: ExpectationLapsed, auth?: AgentAuth): Promise<ReceivedRequest> {
  let received: ReceivedRequest = { headers: {} };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown; method: string };
      received = { headers: request.headers, method };
      const message = { messageId: 'answer', role: 'ROLE_AGENT', parts: [{ text: 'taken' }] };
      response.setHeader('content-type', 'application/json').setHeader('connection', 'close');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { message } }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outbound = new Outbound({ policy: new AddressPolicy(loopbackRanges) });
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const card = { supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
    const messenger = new SdkMessenger({ outbound, now: () => 0 });
    await messenger.send(
      { cardUrl: url, card, ...(auth && { auth }) },
      lapseRequest(lapsed),
      new AbortController().signal,
    );
    return received;
  } finally {
    await outbound.close();
    server.close();
  }
}
