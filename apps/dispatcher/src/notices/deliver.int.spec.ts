// One try to tell a sink, over HTTP.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressPolicy, Outbound } from '#outbound';
import { systemClock } from '#runtime';
import { loopbackOutbound, startVictim } from '#testing';
import { deliver } from './deliver.ts';

const clock = systemClock;
const never = new AbortController().signal;
const message = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });

describe('what a sink answers', () => {
  let server: Server;
  let url: string;
  let answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
  let paths: string[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(answer.status, answer.headers).end('x'.repeat(100_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    paths = [];
  });

  const delivered = () => deliver({ outbound: loopbackOutbound(), clock }, message(url), never);

  it('is that it has taken it, where it says so', async () => {
    answer = { status: 204 };
    await expect(delivered()).resolves.toBeUndefined();
  });

  it('may say when to try again', async () => {
    answer = { status: 429, headers: { 'retry-after': '7' } };
    await expect(delivered()).resolves.toEqual({ cause: 'it answered with 429', retryAfterMs: 7_000 });
  });

  it('may say so by a date', async () => {
    const at = new Date(clock.now() + 600_000).toUTCString();
    answer = { status: 503, headers: { 'retry-after': at } };
    const failure = await delivered();
    expect(failure?.retryAfterMs).toBeGreaterThan(0);
    expect(failure?.retryAfterMs).toBeLessThanOrEqual(600_000);
  });

  it.each([400, 401, 403, 404, 410, 413, 422, 499])('is for good where it is a refusal: %i', async (status) => {
    answer = { status, headers: { 'retry-after': '7' } };
    await expect(delivered()).resolves.toEqual({ cause: `it answered with ${status}`, isForGood: true });
  });

  it.each([408, 425, 429, 500, 503])('may be another later: %i', async (status) => {
    answer = { status };
    await expect(delivered()).resolves.toEqual({ cause: `it answered with ${status}` });
  });

  it('leads nowhere else', async () => {
    answer = { status: 307, headers: { location: '/elsewhere' } };
    await expect(delivered()).resolves.toEqual({ cause: 'it answered with 307' });
    expect(paths).toEqual(['/secret-path']);
  });
});

it('an address that this deployment does not call is not connected to, and the path is not told', async () => {
  const victim = await startVictim('127.0.0.1', 0);
  const outbound = new Outbound({ policy: new AddressPolicy([]) });
  const failure = await deliver({ outbound, clock }, message(`http://127.0.0.1:${victim.port}/secret-path`), never);
  expect(failure?.cause).toMatch(/^it is not called: 127\.0\.0\.1 is no public address/);
  expect(JSON.stringify(failure)).not.toContain('secret-path');
  expect(victim.connectionsCount).toBe(0);
  await victim.close();
});

it('an answer that does not come is given up in time', async () => {
  const victim = createServer(() => undefined);
  await new Promise<void>((resolve) => victim.listen(0, '127.0.0.1', resolve));
  const { port } = victim.address() as AddressInfo;
  const impatient = { ...clock, sleep: () => Promise.resolve() };
  const failure = await deliver(
    { outbound: loopbackOutbound(), clock: impatient },
    message(`http://127.0.0.1:${port}/`),
    never,
  );
  expect(failure?.cause).toMatch(/^it gave no answer/);
  victim.closeAllConnections();
  await new Promise((resolve) => victim.close(resolve));
});
