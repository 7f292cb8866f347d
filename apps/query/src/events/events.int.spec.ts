// Server-sent events over HTTP: the tenant's ledger as it grows, and from where a reader was.
import { jest } from '@jest/globals';
import { encodeLedger } from '#event-log';
import { expectationRecorded, factRecorded, type LedgerScript, type ReadApp, startReadApp, t } from '#testing';
import { QueryModule } from '../query.module.ts';
import { maxStreamsCount } from './events.controller.ts';

interface Message {
  readonly id?: string;
  readonly data?: { position: string; at: string; events: { type: string; expectationId?: string }[] };
}

describe('the stream of events', () => {
  let app: ReadApp;
  let script: LedgerScript;
  let isClosed: boolean;
  const open: AbortController[] = [];

  beforeEach(async () => {
    app = await startReadApp([QueryModule]);
    script = app.script;
    isClosed = false;
  });
  afterEach(async () => {
    open.splice(0).forEach((each) => each.abort());
    if (!isClosed) await app.close();
  });

  async function connect(path = '/v1/events', headers: Record<string, string> = {}): Promise<AsyncGenerator<Message>> {
    const closing = new AbortController();
    open.push(closing);
    const response = await fetch(app.edge.url + path, {
      headers: { authorization: `Bearer ${app.key}`, ...headers },
      signal: closing.signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const messages = messagesOf(response);
    await messages.next();
    return messages;
  }

  async function* messagesOf(response: Response): AsyncGenerator<Message> {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        const [id, data] = [field('id'), field('data')];
        yield { ...(id !== undefined && { id }), ...(data !== undefined && { data: JSON.parse(data) }) };
      }
    }
  }
  const next = async (messages: AsyncGenerator<Message>): Promise<Message> => (await messages.next()).value;
  const record = (tenant: string, expectationId: string) =>
    script.decided(tenant, expectationRecorded({ expectationId }));

  it('tells what is decided from now on, with its places in ledger and inbox', async () => {
    await record('acme', 'before');
    const messages = await connect();
    const { partition, offset, inboxOffset } = await script.decided(
      'acme',
      factRecorded(),
      expectationRecorded({ at: t(9) }),
    );
    expect(await next(messages)).toEqual({
      id: `${partition}-${offset}`,
      data: {
        position: `${partition}-${inboxOffset}`,
        at: t(9),
        events: [factRecorded(), expectationRecorded({ at: t(9) })],
      },
    });
  });

  it('goes on after the last event that was seen', async () => {
    await record('acme', 'e1');
    const { partition, offset } = await record('acme', 'e2');
    await record('acme', 'e3');
    const messages = await connect('/v1/events', { 'last-event-id': `${partition}-${offset}` });
    expect((await next(messages)).data?.events).toMatchObject([{ expectationId: 'e3' }]);
  });

  it('begins at the beginning where it is asked to', async () => {
    await record('acme', 'e1');
    await record('acme', 'e2');
    const messages = await connect('/v1/events?from=start');
    expect((await next(messages)).data?.events).toMatchObject([{ expectationId: 'e1' }]);
    expect((await next(messages)).data?.events).toMatchObject([{ expectationId: 'e2' }]);
  });

  it('tells nothing of another tenant, nor of the partition', async () => {
    const messages = await connect();
    const { partition } = await record('acme', 'first');
    await next(messages);
    for (const tenant of ['zeta', 'beta']) expect((await record(tenant, 'theirs')).partition).toBe(partition);
    await script.append('acme', {
      tenant: null,
      value: encodeLedger({ v: 1, type: 'writerStarted', deployment: 'x', epoch: 1 }),
    });
    await script.append('acme', { tenant: 'acme', value: new Uint8Array([1]) });
    await record('acme', 'ours');
    expect((await next(messages)).data?.events).toMatchObject([{ expectationId: 'ours' }]);
  });

  it.each([
    ['1-99999', undefined],
    ['0-0', undefined],
    ['yesterday', undefined],
    [undefined, '?from=end'],
  ])('refuses a place that is none of its own (%s%s)', async (lastEventId, query) => {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    expect(await app.edge.call('GET', `/v1/events${query ?? ''}`, { key: app.key, headers })).toMatchObject({
      status: 422,
    });
  });

  it('ends within seconds once its key is revoked, and no other does', async () => {
    const { key, secret } = await app.edge.keys.make({ tenant: 'acme', name: 'gone', scopes: ['read'], sources: [] });
    const revoked = await connect('/v1/events', { authorization: `Bearer ${secret}` });
    const kept = await connect();
    await app.edge.keys.revoke(key.keyId);
    for await (const _ of revoked);
    await record('acme', 'afterwards');
    expect((await next(kept)).data?.events).toMatchObject([{ expectationId: 'afterwards' }]);
  });

  it('is open to so many of a tenant at once, and to another tenant as ever', async () => {
    for (let count = 0; count < maxStreamsCount; count += 1) await connect();
    const refused = await app.edge.call('GET', '/v1/events', { key: app.key });
    expect(refused).toMatchObject({ status: 429, body: { type: '/problems/tenant-overloaded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    await connect('/v1/events', { authorization: `Bearer ${app.otherKey}` });
    open.splice(0, 1).forEach((each) => each.abort());
    for (;;) {
      const closing = new AbortController();
      const headers = { authorization: `Bearer ${app.key}` };
      const { status } = await fetch(`${app.edge.url}/v1/events`, { headers, signal: closing.signal });
      closing.abort();
      if (status === 200) break;
    }
  });

  it('refuses to go on from before what is kept: something would be missing', async () => {
    const { partition } = await record('acme', 'e1');
    const end = await app.edge.log.bounds('ledger', partition);
    const messages = await connect('/v1/events?from=start');
    expect((await next(messages)).data?.events).toMatchObject([{ expectationId: 'e1' }]);
    jest.spyOn(app.edge.log, 'bounds').mockResolvedValueOnce({ earliest: end.end + 5, end: end.end + 9 });
    const headers = { 'last-event-id': `${partition}-${end.end}` };
    expect(await app.edge.call('GET', '/v1/events', { key: app.key, headers })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('before what is kept') },
    });
  });

  it('ends when the process does', async () => {
    const messages = await connect();
    isClosed = true;
    await app.close();
    expect(await messages.next()).toEqual({ done: true, value: undefined });
  });
});
