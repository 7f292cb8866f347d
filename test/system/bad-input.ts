// Bad input of every kind over the public API, against the watcher as it runs: each is told what is wrong and where,
// its neighbours are decided, and all that reads the log reads what this very test has left in it.
import { connect } from 'node:net';
import { jest } from '@jest/globals';
import { type CardServer, exampleCard, FakeAgent, startCardServer } from '#testing';
import { badRequests, fact } from './bad-requests.ts';
import { nastyValues } from './nasty-records.ts';
import { type RawAnswer, sendRaw, sendSlowly } from './raw-http.ts';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';
import { administratorKey, until } from './watcher.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const lists = ['expectations', 'lapses', 'facts', 'refusals', 'dispatches'] as const;
const head = `POST /v1/facts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${administratorKey}\r\nContent-Type: application/json\r\n`;

export function describeBadInput(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let agent: FakeAgent;
  let cards: CardServer;
  let slow: Promise<readonly RawAnswer[]>;

  beforeAll(async () => {
    // The agent's SDK has opinions about ids.
    jest.spyOn(console, 'warn').mockReturnValue();
    watcher = await create();
    agent = await FakeAgent.start();
    cards = await startCardServer();
    const { supportedInterfaces } = agent.card as { readonly supportedInterfaces: unknown };
    cards.card = { ...exampleCard(), supportedInterfaces };
    await watcher.start();
    await watcher.call('PUT', '/v1/agents/booking', { cardUrl: cards.url });
    // They take their minute while everything else is tried.
    slow = Promise.all([
      sendSlowly(watcher.factsUrl, `${head}Content-Length: 1000\r\n\r\n[`, ' '),
      sendSlowly(watcher.factsUrl, `${head}Content-Length: 100\r\n\r\n[{"factKey":`, ''),
      sendSlowly(watcher.factsUrl, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n[1,2`, ''),
      sendSlowly(watcher.factsUrl, 'GET /v1/overview HTTP/1.1\r\n', 'X'),
    ]);
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
    await cards.close();
  });

  const isAlive = async (): Promise<void> => {
    const taken = await watcher.call('POST', '/v1/facts', fact(`alive-${Math.random()}`));
    expect(taken).toMatchObject({ results: [{ outcome: 'accepted' }] });
  };

  it.each(badRequests)(
    'is told what is wrong: $name',
    async ({ method = 'GET', path, headers, body, status, says }) => {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(watcher.url + path, {
        method,
        headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      expect({ status: response.status, text }).toEqual({ status, text: expect.stringMatching(says) });
      if (status === 207) return;
      expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(JSON.parse(text)).toMatchObject({
        type: expect.stringMatching(/^\/problems\//),
        title: expect.any(String),
        detail: expect.stringMatching(says),
        status,
      });
    },
  );

  it.each<[string, readonly (string | Uint8Array)[], number, RegExp]>([
    ['no HTTP', ['HELLO\r\n\r\n'], 400, /not HTTP/],
    ['no method', ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n'], 400, /method/],
    ['no host', ['GET / HTTP/1.1\r\n\r\n'], 400, /Host is missing/],
    ['NUL in a header', ['GET / HTTP/1.1\r\nHost: x\r\nX: a\0\r\n\r\n'], 400, /header value/],
    ['an endless header', [`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`], 431, /16 kB/],
    ['a flood of headers', [`GET / HTTP/1.1\r\nHost: x\r\n${'X: 1\r\n'.repeat(20_000)}\r\n`], 431, /16 kB/],
    ['an endless address', [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`], 431, /16 kB/],
    ['two lengths', [`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]`], 400, /Content-Length/],
    ['a length and chunks', [`${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`], 400, /can't/],
    ['a chunk of no size', [`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n[]`], 400, /chunk size/],
    ['a wrong trailer', [`${head}Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nno trailer\r\n\r\n`], 400, /header/],
  ])('is told what is wrong, by Node too: %s', async (_, parts, status, says) => {
    const answer = await sendRaw(watcher.factsUrl, parts);
    expect(answer).toEqual({ status, type: 'application/problem+json', body: expect.stringMatching(says) });
    expect(JSON.parse(answer.body)).toMatchObject({ status, type: expect.stringMatching(/^\/problems\//) });
  });

  it('outlives clients that go away halfway', async () => {
    const { port, hostname } = new URL(watcher.factsUrl);
    await Promise.all(
      Array.from(
        { length: 50 },
        (_, index) =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), hostname, () =>
              socket.write(`${head}Content-Length: 100000\r\n\r\n[${' '.repeat(index * 1_000)}`, () =>
                index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy(),
              ),
            );
            socket.on('error', () => undefined);
            socket.on('close', () => resolve());
          }),
      ),
    );
    await isAlive();
  });

  it('takes what is at its limits, and a byte-order mark, and trailers that are right', async () => {
    const astral = '🛫'.repeat(1_024);
    const taken = { results: [{ outcome: 'accepted' }] };
    expect(await watcher.call('POST', '/v1/facts', fact('k'.repeat(1_024)))).toMatchObject(taken);
    expect(await watcher.call('POST', '/v1/facts', fact(astral))).toMatchObject(taken);
    const proto = '{"factKey":"__proto__","observedAt":"2026-11-29T00:00:00Z","__proto__":{"a":1},"constructor":1}';
    const post = (body: string): Promise<RawAnswer> =>
      sendRaw(watcher.factsUrl, [`${head}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n`, body]);
    const chunks = (body: string): string =>
      `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\nAuthorization: Bearer other\r\n\r\n`;
    expect(await post(chunks(`\ufeff${JSON.stringify(fact('with a mark'))}`))).toMatchObject({ status: 200 });
    expect(await post(chunks(proto.replace('2026-11-29T00:00:00Z', new Date().toISOString())))).toMatchObject({
      status: 200,
      body: expect.stringContaining('accepted'),
    });
    const last = (await watcher.call('POST', '/v1/facts', fact('after these'))) as { readonly position: string };
    const shown = await watcher.call('GET', `/v1/facts?factKey=${encodeURIComponent(astral)}&after=${last.position}`);
    expect(shown).toMatchObject({ items: [{ factKey: astral }] });
    expect(await watcher.callText('GET', '/v1/facts?factKey=__proto__')).toContain('"__proto__":{"a":1}');
  });

  it('decides the neighbours of bad lines, in their places', async () => {
    const good = (key: string): string => JSON.stringify(fact(key));
    const bad = ['{"factKey":', '['.repeat(20_000), '"\ud800"'.replace('\ud800', '\\ud800'), 'null', '{"a":1,"a":2}'];
    const body = ['first', ...bad, 'last'].map((line) => (/^(first|last)$/.test(line) ? good(line) : line)).join('\n');
    const response = await fetch(`${watcher.url}/v1/facts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/x-ndjson' },
      body,
    });
    expect(response.status).toBe(207);
    const refused = { outcome: 'refused', message: expect.any(String) };
    expect(await response.json()).toMatchObject({
      results: [{ outcome: 'accepted' }, ...bad.map(() => refused), { outcome: 'accepted' }],
    });
  });

  it('decides the neighbours of bad expectations, in their places', async () => {
    const soon = new Date(Date.now() + 2_000).toISOString();
    const raise = (expectationId: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
      ...{ expectationId, kind: 'shipment.departure', subject: { type: 'shipment', id: 'S1' }, expects: 'it departs' },
      ...{ satisfiedBy: { factKey: 'departed:S1' }, dueAt: soon, basis: 'observed', ...more },
    });
    const astral = '🛫'.repeat(1_024);
    const items: readonly (readonly [unknown, string | RegExp])[] = [
      [raise('first'), 'recorded'],
      [raise('a\0b'), /expectationId holds a NUL/],
      [raise('\ud800'), /expectationId holds a NUL or half/],
      [raise('x'.repeat(1_025)), /expectationId is longer than 1,024/],
      [raise(astral), 'recorded'],
      [raise(`${astral}x`), /longer than 1,024/],
      [raise('e4000', { expects: 'x'.repeat(4_000) }), 'recorded'],
      [raise('e4001', { expects: 'x'.repeat(4_001) }), /expects is longer than 4,000/],
      [raise('after', { after: ['ok', 'x'.repeat(1_025)] }), /after\[1\] is longer/],
      [raise('number', { dueAt: 1_789_094_460 }), /dueAt/],
      [raise('seconds', { dueAt: '1789094460' }), /dueAt/],
      [raise('subject', { subject: 'S1' }), /subject/],
      [raise('kind', { kind: 'shipment.unheard' }), /kind/],
      [raise('big', { more: 'x'.repeat(512_000) }), /512 kB/],
      [null, /object/],
      [7, /object/],
      [raise('last'), 'recorded'],
    ];
    const metadata = { [uri]: { expectations: items.map(([item]) => item) } };
    const task = {
      id: 'task-bad',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', metadata }],
    };
    const { results } = (await watcher.call('POST', '/v1/observations', { agentId: 'booking', task })) as {
      readonly results: readonly { readonly expectations: readonly { outcome: string; message?: string }[] }[];
    };
    const told = results[0]?.expectations.map(({ outcome, message }) => (outcome === 'refused' ? message : outcome));
    expect(told).toEqual(items.map(([, said]) => (typeof said === 'string' ? said : expect.stringMatching(said))));
  });

  it('refuses what is past the 1,000 items of a block one by one', async () => {
    const metadata = { [uri]: { facts: Array.from({ length: 1_001 }, (_, index) => fact(`f${index}`)) } };
    const artifactUpdate = { taskId: 'task-many', contextId: 'c', artifact: { artifactId: 'a', metadata } };
    const { results } = (await watcher.call('POST', '/v1/observations', { agentId: 'booking', artifactUpdate })) as {
      readonly results: readonly { readonly facts: readonly { outcome: string; message?: string }[] }[];
    };
    const outcomes = results[0]?.facts.map(({ outcome }) => outcome) ?? [];
    expect(outcomes.slice(0, 1_000).every((outcome) => outcome === 'accepted')).toBe(true);
    expect(results[0]?.facts[1_000]).toMatchObject({ outcome: 'refused', message: expect.stringContaining('1,000') });
  });

  it('ends requests that take too long to arrive, saying so', async () => {
    const timeout = { status: 408, type: 'application/problem+json', body: expect.stringMatching(/within 60 s/) };
    expect(await slow).toEqual([timeout, timeout, timeout, timeout]);
    await isAlive();
  });

  const lapses = (): unknown[] => agent.received.filter(({ messageId }) => messageId.startsWith('lapse:'));

  /** Everything the read endpoints show. */
  async function everything(): Promise<Record<string, unknown>> {
    const shown: Record<string, unknown> = {};
    for (const list of lists) shown[list] = await watcher.call('GET', `/v1/${list}?limit=1000`);
    // The agent is told of what was refused little by little, for as long as it takes.
    const { items } = shown['refusals'] as { readonly items: readonly Record<string, unknown>[] };
    shown['refusals'] = items.map(({ telling: _, ...refusal }) => refusal);
    return shown;
  }

  /** Nothing is due any more, and nothing on its way. */
  async function settled(): Promise<Record<string, unknown>> {
    await until(async () => {
      const { items } = (await watcher.call('GET', '/v1/dispatches?limit=1000')) as {
        items: { state: string; expectationId: string }[];
      };
      // What an agent says of a task in a context that no edge lets in is not told to the log.
      const isOver = ({ state, expectationId }: (typeof items)[number]): boolean =>
        ['concluded', 'voided', 'parked'].includes(state) || (state === 'submitted' && expectationId.includes('\0'));
      return items.length > 0 && items.every(isOver);
    });
    return everything();
  }

  it('has left nothing in the log that a reader cannot read', async () => {
    await until(async () => ((await everything())['lapses'] as { items: unknown[] }).items.length >= 4);
    const before = await settled();
    await watcher.stop();
    expect(await watcher.run('projections', 'rebuild')).toBe(0);
    await watcher.forgetOutboxAndSnapshots();
    const { length } = lapses();
    await watcher.start();
    expect(await settled()).toEqual(before);
    expect(lapses()).toHaveLength(length);
    const messageIds = agent.received.map(({ messageId }) => messageId);
    expect(new Set(messageIds).size).toBe(messageIds.length);
  });

  it('survives records in the log that no edge would have let in', async () => {
    await watcher.stop();
    await watcher.appendToInbox('nobody \0 \ud800', nastyValues('booking').slice(0, 1));
    const position = await watcher.appendToInbox('default', nastyValues('booking'));
    await watcher.start();
    await watcher.call('GET', `/v1/overview?after=${position}`);
    expect(await watcher.call('GET', `/v1/decisions/${position}`)).toMatchObject({
      position,
      events: [{ type: 'inputIgnored', why: expect.stringContaining('undecodable') }],
    });
    const after = await settled();
    const { items } = after['expectations'] as { readonly items: readonly { readonly expectationId: string }[] };
    expect(items.map(({ expectationId }) => expectationId)).toContain('nasty \0 \ud800');
    const id = encodeURIComponent('nasty \0 ');
    expect(await watcher.callText('GET', `/v1/expectations?text=${id}`)).toContain('nasty');
    await watcher.stop();
    expect(await watcher.run('projections', 'rebuild')).toBe(0);
    await watcher.forgetOutboxAndSnapshots();
    await watcher.start();
    expect(await settled()).toEqual(after);
    await isAlive();
  });
}
