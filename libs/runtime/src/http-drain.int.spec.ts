import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { systemClock } from './clock.ts';
import { HttpDrain } from './http-drain.ts';

describe('the end of an HTTP server', () => {
  let server: Server;
  let drain: HttpDrain;
  const agent = new Agent({ keepAlive: true });
  const asked: ServerResponse[] = [];

  beforeEach(async () => {
    asked.length = 0;
    server = createServer((_request, response) => asked.push(response));
    drain = new HttpDrain(server, systemClock);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
  });
  afterAll(() => agent.destroy());

  /** Sends a request and resolves once it has come; the answer is another promise. */
  async function ask(): Promise<{ readonly answer: Promise<IncomingMessage> }> {
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent });
    const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
    await once(server, 'request');
    return { answer };
  }

  it('answers whoever waits, lets nobody new in, and keeps no connection', async () => {
    const { answer } = await ask();
    const { port } = server.address() as AddressInfo;
    const drained = drain.drain(60_000);
    const closed = once(server, 'close');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    asked[0]!.end('decided');
    const response = await answer;
    expect(response.headers.connection).toBe('close');
    expect(await text(response)).toBe('decided');
    await Promise.all([drained, closed]);
  });

  it('does not wait for a stream, and its connection ends with it', async () => {
    const { answer } = await ask();
    asked[0]!.write('begun');
    const response = await answer;
    const closed = once(server, 'close');
    await drain.drain(60_000);
    asked[0]!.end();
    expect(await text(response)).toBe('begun');
    await closed;
  });

  it('cuts who sends or reads too slowly to be gone in time', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    socket.on('error', () => undefined);
    const halfHead = connect(port, '127.0.0.1');
    halfHead.on('error', () => undefined);
    halfHead.write('GET / HTTP/1.1\r\nHo');
    await once(server, 'request');
    await drain.drain(1);
    await drain.close(() => once(server, 'close').then(() => undefined), 1);
  });

  it('cuts nobody where all are gone in time', async () => {
    const { answer } = await ask();
    const drained = drain.drain(60_000);
    asked[0]!.end('decided');
    await Promise.all([drained, drain.close(() => once(server, 'close').then(() => undefined), 60_000)]);
    expect(await text(await answer)).toBe('decided');
  });

  it('waits no longer than it may', async () => {
    const { answer } = await ask();
    answer.catch(() => undefined);
    await drain.drain(1);
    expect(asked[0]!.headersSent).toBe(false);
  });
});
