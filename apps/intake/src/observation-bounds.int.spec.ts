// What a hostile or clumsy client sends to `POST /v1/observations`, over HTTP, decided by the real core.
import { decodeInbox, partitionOf } from '#event-log';
import { maxTenantHeldBytes } from '#runtime';
import { type CardServer, type EdgeApp, startCardServer, startEdgeApp } from '#testing';
import { IntakeModule } from './intake.module.ts';

const URI = 'https://rsaxb.com/a2a/expectations/v1';
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();

const artifact = (block: unknown) => `{"metadata":{"${URI}":${JSON.stringify(block)}}}`;
const taskOf = (artifacts: readonly string[], contextId = 'c1') =>
  `{"agentId":"booking","task":{"id":"t1","contextId":"${contextId}","status":{},"artifacts":[${artifacts.join()}]}}`;

describe('observations of a client that means no good', () => {
  let edge: EdgeApp;
  let cards: CardServer;
  let key: string;

  beforeAll(async () => {
    [edge, cards] = await Promise.all([startEdgeApp([IntakeModule]), startCardServer()]);
    key = await edge.key();
    await edge.call('PUT', '/v1/agents/booking', { key, json: { cardUrl: cards.url } });
  });

  afterAll(() => Promise.all([edge.close(), cards.close()]));

  const post = (body: string) =>
    edge.call('POST', '/v1/observations', { key, body, headers: { 'content-type': 'application/json' } });
  const observe = (value: unknown) => post(JSON.stringify(value));
  const inboxEnd = async () => (await edge.log.bounds('inbox', partitionOf('acme', edge.log.partitionCount))).end;
  const quarantined = (): Promise<unknown> =>
    edge.database.query('SELECT reporter, fact, reason FROM duewatch_edge.quarantined_fact ORDER BY fact');

  it.each([
    ['artifacts', taskOf(Array<string>(100_000).fill('0'))],
    ['expectations', taskOf(Array<string>(11).fill(artifact({ expectations: Array(9_999).fill(0) })))],
    ['withdrawals', taskOf(Array<string>(11).fill(artifact({ withdraw: Array(9_999).fill(0) })))],
    [
      'facts of many tasks',
      `[${Array<string>(11)
        .fill(taskOf([artifact({ facts: Array(9_999).fill(0) })]))
        .join()}]`,
    ],
  ])('are not read with more than 100,000 items: %s', async (_, body) => {
    const end = await inboxEnd();
    expect(await post(body)).toMatchObject({ status: 413, body: { type: '/problems/body-too-large' } });
    expect(await inboxEnd()).toBe(end);
  });

  it('are not taken where a small body would be a large log', async () => {
    const end = await inboxEnd();
    const body = taskOf(Array<string>(8_000).fill(artifact({})), '🛫'.repeat(1_024));
    expect(body.length).toBeLessThan(1_000_000);
    expect(await post(body)).toMatchObject({ status: 413, body: { detail: expect.stringContaining('in parts') } });
    expect(await inboxEnd()).toBe(end);
  });

  it('are refused by no more places than anybody would read', async () => {
    const answer = await post(taskOf(Array<string>(90_000).fill('0')));
    expect(answer.status).toBe(422);
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(101);
  });

  it('with many artifacts, and something wrong in each, are answered item by item', async () => {
    const answer = await post(taskOf(Array<string>(20_000).fill(artifact({ facts: ['\0'] }))));
    const { results } = answer.body as { results: [{ facts: { message: string }[] }] };
    expect(results[0].facts).toHaveLength(20_000);
    expect(new Set(results[0].facts.map(({ message }) => message))).toEqual(
      new Set(['it holds a NUL or half a character']),
    );
  });

  it('bring no text into the log that a store cannot keep', async () => {
    const from = await inboxEnd();
    const bad = '\0\ud800';
    const facts = [{ factKey: 'k', observedAt: hourAgo, source: bad }, { factKey: bad }];
    const statusUpdate = (message?: unknown) => ({
      agentId: 'booking',
      statusUpdate: { taskId: 't', contextId: 'c', status: { state: bad, timestamp: bad, message } },
    });
    const block = { facts, expectations: [{ expectationId: bad, [bad]: 1 }], withdraw: [bad], reason: bad };
    const message = { messageId: bad, role: 'ROLE_AGENT', taskId: 't', contextId: 'c', metadata: { [URI]: block } };
    await observe([statusUpdate(), statusUpdate(message), { agentId: 'booking', message }]);
    await observe({ agentId: 'booking', message: { ...message, role: 'ROLE_USER' } });
    const partition = partitionOf('acme', edge.log.partitionCount);
    const records = await edge.log.read('inbox', partition, { from, limit: 100 });
    expect(records.length).toBeGreaterThan(3);
    for (const { value } of records) expect(JSON.stringify(decodeInbox(value))).not.toMatch(/\\u0000|\\ud800/);
  });

  it('that carry facts at implausible instants have those quarantined, each answered in its place', async () => {
    const fact = (factKey: string, observedAt = hourAgo) => ({ factKey, observedAt });
    const facts = [fact('p1', '1970-01-21T16:58:14Z'), fact('p2'), { factKey: 7 }, fact('p3', '2099-01-01T00:00:00Z')];
    const ofClient = { messageId: 'm', role: 'ROLE_USER', metadata: { [URI]: { facts: [facts[3]] } } };
    const body = `[${taskOf([artifact({ facts })])},${JSON.stringify({ agentId: 'booking', message: ofClient })}]`;
    for (let time = 0; time < 2; time += 1) {
      expect(await post(body)).toMatchObject({
        status: 207,
        body: {
          results: [
            {
              facts: [
                { outcome: 'quarantined', code: 'implausible', message: expect.stringContaining('90 days') },
                { outcome: time === 0 ? 'accepted' : 'repeated' },
                { outcome: 'refused', code: 'invalid' },
                { outcome: 'quarantined', code: 'implausible', message: expect.stringContaining('10 minutes') },
              ],
            },
            { facts: [{ outcome: 'quarantined' }] },
          ],
        },
      });
    }
    expect(await quarantined()).toEqual([
      { reporter: '"agent:booking"', fact: JSON.stringify(facts[0]), reason: expect.stringContaining('90 days') },
      { reporter: '"agent:booking"', fact: JSON.stringify(facts[3]), reason: expect.stringContaining('10 minutes') },
      { reporter: '"tester"', fact: JSON.stringify(facts[3]), reason: expect.stringContaining('10 minutes') },
    ]);
  });

  it('of one tenant that sends too much at once are answered 429, and of another as ever', async () => {
    const filler = `["${'x'.repeat(9_900_000)}"]`;
    const count = Math.ceil(maxTenantHeldBytes / filler.length) + 2;
    const resume = edge.decider.pause();
    const slow = { key, body: filler, headers: { 'content-type': 'application/json', prefer: 'wait=60' } };
    const body = JSON.stringify({ agentId: 'booking', statusUpdate: { taskId: 't', contextId: 'c', status: {} } });
    const held = Array.from({ length: count }, () =>
      edge.call('POST', '/v1/observations', { ...slow, body: `[${body},"${'x'.repeat(9_900_000)}"]` }),
    );
    const refused = await Promise.any(
      held.map(async (answer) => {
        const { status, headers, body: problem } = await answer;
        if (status !== 429) throw new Error(`it was ${status}`);
        return { retryAfter: headers.get('retry-after'), problem };
      }),
    );
    expect(refused).toMatchObject({ retryAfter: '1', problem: { type: '/problems/tenant-overloaded', status: 429 } });
    const stranger = await edge.key({ tenant: 'globex' });
    expect(await edge.call('POST', '/v1/observations', { key: stranger, json: [] })).toMatchObject({ status: 200 });
    resume();
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([207, 429]));
    expect(await post(`[${body}]`)).toMatchObject({ status: 200 });
  });
});
