import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '#testing';
import { oauthTokens } from './oauth-token.ts';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('a token for OAUTHBEARER', () => {
  let server: Server;
  let tokenUrl: string;
  let asked: Asked[];
  let answer: (count: number) => { readonly status: number; readonly body: string };
  let clock: ManualClock;

  const tokens = (secret = 's3cret') =>
    oauthTokens({ mechanism: 'oauthbearer', tokenUrl, clientId: 'a:b', clientSecret: secret, scope: 'kafka' }, clock);

  beforeEach(async () => {
    asked = [];
    clock = new ManualClock(0);
    answer = (count) => ({ status: 200, body: JSON.stringify({ access_token: `token-${count}`, expires_in: 600 }) });
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        asked.push({ headers: request.headers, body });
        const { status, body: text } = answer(asked.length);
        response.writeHead(status).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    tokenUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  });

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('is asked for with the client’s credentials, each part encoded', async () => {
    await expect(tokens('p&ss word')()).resolves.toBe('token-1');
    expect(asked[0]?.body).toBe('grant_type=client_credentials&scope=kafka');
    const [, basic = ''] = /^Basic (.+)$/.exec(asked[0]?.headers.authorization ?? '') ?? [];
    expect(Buffer.from(basic, 'base64').toString()).toBe('a%3Ab:p%26ss+word');
  });

  it('is kept until shortly before it ends', async () => {
    const token = tokens();
    await token();
    await clock.advance(539_999);
    await expect(token()).resolves.toBe('token-1');
    await clock.advance(1);
    await expect(token()).resolves.toBe('token-2');
  });

  it('is asked for once by all who need it at the same time', async () => {
    const token = tokens();
    await expect(Promise.all([token(), token(), token()])).resolves.toEqual(['token-1', 'token-1', 'token-1']);
    expect(asked).toHaveLength(1);
  });

  it('is not kept where nothing is said of its end', async () => {
    answer = (count) => ({ status: 200, body: JSON.stringify({ access_token: `token-${count}` }) });
    const token = tokens();
    await token();
    await expect(token()).resolves.toBe('token-2');
  });

  it('is refused in a sentence without the secret, and asked for again by the next', async () => {
    answer = () => ({ status: 401, body: '{"error":"invalid_client"}' });
    const token = tokens();
    await expect(token()).rejects.toThrow(`${tokenUrl} gave no token for the client a:b (401: invalid_client)`);
    answer = () => ({ status: 200, body: 'no JSON' });
    await expect(token()).rejects.toThrow(`${tokenUrl} gave no token for the client a:b (200)`);
    answer = () => ({ status: 200, body: '{"access_token":"at last"}' });
    await expect(token()).resolves.toBe('at last');
  });

  it('says that the endpoint cannot be reached', async () => {
    const token = oauthTokens(
      { mechanism: 'oauthbearer', tokenUrl: 'http://127.0.0.1:1/token', clientId: 'a', clientSecret: 'b' },
      clock,
    );
    await expect(token()).rejects.toThrow('http://127.0.0.1:1/token cannot be reached for a token: ');
  });
});
