// Much at once, over HTTP: what one tenant sends is bounded and taken in turns, and another's does not wait for it.
import { connect } from 'node:net';
import { maxTenantRequestCount } from '#runtime';
import { type EdgeApp, startEdgeApp } from '#testing';
import { FactsModule } from './facts.module.ts';

const observedAt = new Date(Date.now() - 3_600_000).toISOString();
const fact = (factKey: string) => ({ factKey, observedAt });

/** As many facts as 10 MB hold. */
const large = (name: string): string =>
  JSON.stringify(Array.from({ length: 90_000 }, (_, index) => ({ ...fact(`${name}:${index}`), note: 'x'.repeat(25) })));

describe('a flood of facts', () => {
  let edge: EdgeApp;
  let flooding: string;
  let other: string;

  beforeEach(async () => {
    edge = await startEdgeApp([FactsModule]);
    flooding = await edge.key({ tenant: 'acme', scopes: ['facts'], name: 'flood' });
    other = await edge.key({ tenant: 'globex', scopes: ['facts'], name: 'calm' });
  });
  afterEach(() => edge.close());

  const report = (key: string, json: unknown, prefer = 'wait=60') =>
    edge.call('POST', '/v1/facts', { key, json, headers: { prefer } });

  /** Resolves once all of the body is on its way; the answer's first line is another promise. */
  function send(key: string, body: string): Promise<{ readonly answer: Promise<string> }> {
    const { port, hostname } = new URL(edge.url);
    const head = `POST /v1/facts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nPrefer: wait=60\r\nContent-Type: application/json`;
    const socket = connect(Number(port), hostname);
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (chunk) => {
        socket.destroy();
        resolve(chunk.toString('latin1').split('\r\n')[0] ?? '');
      }),
    );
    return new Promise((resolve) =>
      socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, () => resolve({ answer })),
    );
  }

  it('is read in turns: what is sent after a body of 10 MB is answered before it', async () => {
    const body = large('turns');
    expect(body.length).toBeGreaterThan(9_000_000);
    const order: string[] = [];
    const { answer } = await send(flooding, body);
    let turnCount = 0;
    const look = (): void => {
      turnCount += 1;
      if (!order.includes('large')) setImmediate(look);
    };
    look();
    await Promise.all([
      answer.then((line) => order.push(line === 'HTTP/1.1 200 OK' ? 'large' : line)),
      report(other, fact('small')).then(({ status }) => order.push(`another's ${status}`)),
      edge.call('GET', '/v1/nothing', { key: flooding }).then(({ status }) => order.push(`its own ${status}`)),
    ]);
    expect(order.at(-1)).toBe('large');
    expect([...order].sort()).toEqual(["another's 200", 'its own 404', 'large']);
    expect(turnCount).toBeGreaterThan(300);
  });

  it('of a million members in one object is refused, and holds nobody up', async () => {
    const members = Array.from({ length: 1_000_000 }, (_, index) => `"${index.toString(36)}":1`);
    const { answer } = await send(flooding, `{${members.join()}}`);
    expect(await report(other, fact('beside'))).toMatchObject({ status: 200 });
    expect(await answer).toBe('HTTP/1.1 413 Payload Too Large');
  });

  it('in small requests is bounded by how many are under way, for its tenant alone', async () => {
    const resume = edge.decider.pause();
    const flood = Array.from({ length: maxTenantRequestCount + 50 }, (_, index) => report(flooding, fact(`s${index}`)));
    const refused = await Promise.any(
      flood.map(async (answer) => {
        const { status, headers, body } = await answer;
        if (status !== 429) throw new Error(`it was ${status}`);
        return { retryAfter: headers.get('retry-after'), body };
      }),
    );
    expect(refused).toMatchObject({ retryAfter: '1', body: { type: '/problems/tenant-overloaded' } });
    expect(await report(other, fact('calm'), 'wait=0')).toMatchObject({ status: 202 });
    resume();
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(maxTenantRequestCount);
    expect(await report(flooding, fact('afterwards'))).toMatchObject({ status: 200 });
  });
});
