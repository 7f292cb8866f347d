import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressPolicy, Outbound } from '#outbound';
import { loopbackOutbound } from '#testing';
import { CardFetchError, type CardFetchCode, cardUrl, fetchCard } from './fetch-card.ts';

const outbound = loopbackOutbound();
let server: Server;
let base: string;
let answer: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function serve(status: number, body: string | Uint8Array, headers: Record<string, string> = {}): void {
  answer = (_, response) => response.writeHead(status, headers).end(body);
}

async function failure(url: string, timeoutMs = 5_000): Promise<[CardFetchCode, boolean] | undefined> {
  const error = await fetchCard(url, { outbound, timeoutMs }).catch((thrown: unknown) => thrown);
  return error instanceof CardFetchError ? [error.code, error.retryable] : undefined;
}

describe('the URL of a card', () => {
  it.each([
    ['https://agent.example', 'https://agent.example/.well-known/agent-card.json'],
    ['https://agent.example/a2a/', 'https://agent.example/a2a/.well-known/agent-card.json'],
    ['https://agent.example/.well-known/agent-card.json', 'https://agent.example/.well-known/agent-card.json'],
    ['http://agent.example/my-card.json?v=1', 'http://agent.example/my-card.json?v=1'],
  ])('of %s is %s', (given, url) => {
    expect(cardUrl(given).href).toBe(url);
  });

  it.each(['file:///etc/passwd', 'ftp://agent.example', 'agent.example', '', 'https://user:secret@agent.example'])(
    'is not %j',
    (given) => {
      expect(() => cardUrl(given)).toThrow(CardFetchError);
    },
  );
});

describe('a card', () => {
  it('is given as served, with where it was and its ETag', async () => {
    answer = (request, response) => {
      const headers = { etag: '"1"', 'content-type': 'application/json' };
      response.writeHead(200, headers).end(JSON.stringify({ name: 'Booking', path: request.url }));
    };
    await expect(fetchCard(base, { outbound })).resolves.toEqual({
      card: { name: 'Booking', path: '/.well-known/agent-card.json' },
      url: `${base}/.well-known/agent-card.json`,
      etag: '"1"',
    });
  });

  it('is asked for with the credential, which does not follow to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/card.json`;
    answer = (request, response) => {
      seen.push(request.headers['x-key'] as string | undefined);
      response.writeHead(302, { location }).end();
    };
    const { url } = await fetchCard(base, { outbound, auth: { type: 'header', name: 'X-Key', value: 'secret' } });
    expect(url).toBe(location);
    expect(seen).toEqual(['secret', undefined]);
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('a card that cannot be had', () => {
  it.each<[string, () => void, CardFetchCode, boolean]>([
    ['because it is not there', () => serve(404, ''), 'status_not_ok', false],
    ['because the agent is not well', () => serve(503, ''), 'status_not_ok', true],
    ['because it is a page', () => serve(200, '<html>', { 'content-type': 'text/html' }), 'not_json', false],
    ['because it is no object', () => serve(200, '[]'), 'not_json', false],
    [
      'because it is not UTF-8',
      () => serve(200, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      'not_json',
      false,
    ],
    ['because it is too deep', () => serve(200, `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`), 'not_json', false],
    ['because it is too large', () => serve(200, `{"a":"${'x'.repeat(1_048_576)}"}`), 'too_large', false],
    ['because it goes in circles', () => serve(302, '', { location: '/card.json' }), 'too_many_redirects', false],
    [
      'because it leads elsewhere',
      () => serve(302, '', { location: 'file:///etc/passwd' }),
      'too_many_redirects',
      false,
    ],
  ])('%s', async (_, given, code, retryable) => {
    given();
    await expect(failure(base)).resolves.toEqual([code, retryable]);
  });

  it('because nothing is said in time', async () => {
    answer = () => undefined;
    await expect(failure(base, 200)).resolves.toEqual(['timed_out', true]);
  });

  it('because nobody is there, and the cause is kept', async () => {
    await expect(failure('http://127.0.0.1:1')).resolves.toEqual(['unreachable', true]);
    await expect(fetchCard('http://127.0.0.1:1', { outbound })).rejects.toHaveProperty('cause');
  });
});

it('is not asked of an address that may not be called', async () => {
  const guarded = new Outbound({ policy: new AddressPolicy([]) });
  const asked = fetchCard(base, { outbound: guarded });
  await expect(asked).rejects.toMatchObject({ code: 'address_refused', retryable: false });
  await expect(asked).rejects.toThrow(/127\.0\.0\.1 is no public address/);
  await guarded.close();
});
