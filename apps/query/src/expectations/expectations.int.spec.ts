// `/v1/expectations` over HTTP, on PostgreSQL.
import { expectationLapsed, expectationRecorded, oddId, type ReadApp, readingStory, startReadApp, t } from '#testing';
import { QueryModule } from '../query.module.ts';

interface Listed {
  readonly items: readonly { readonly expectationId: string }[];
  readonly next?: string;
}

describe('expectations', () => {
  let app: ReadApp;

  beforeAll(async () => {
    app = await startReadApp([QueryModule]);
    await app.tell('acme', ...readingStory);
  });
  afterAll(() => app.close());

  const list = async (query: string): Promise<Listed> => (await app.get(`/v1/expectations?${query}`)) as Listed;
  const ids = ({ items }: Listed) => items.map(({ expectationId }) => expectationId);
  const problem = async (path: string, status: number): Promise<unknown> => {
    const answer = await app.edge.call('GET', path, { key: app.key });
    expect({ path, status: answer.status }).toEqual({ path, status });
    return answer.body;
  };

  it('have the shape that scripts rely on', async () => {
    expect(await app.get('/v1/expectations/booking/full')).toEqual({
      agentId: 'booking',
      expectationId: 'full',
      kind: 'shipment.departure',
      subject: { type: 'shipment', id: 'S1' },
      expects: 'S1 departs',
      factKey: 'departed:S1',
      basis: 'observed',
      status: 'satisfied',
      projectedDueAt: t(60),
      dueAt: t(70),
      grace: 'PT2H',
      horizon: t(500),
      anchor: { expectationId: 'e0', offset: 'PT1M' },
      reanchoredAt: t(10),
      after: ['e0'],
      suspended: false,
      lineage: 1,
      supersedes: 'old',
      question: false,
      taskId: 'task-1',
      contextId: 'context-1',
      recordedAt: t(0),
      satisfiedAt: t(90),
      observedAt: t(90),
      source: 'tower',
      late: true,
      reportedLate: true,
      lapses: [
        {
          lapse: 'overdue',
          lapsedAt: t(80),
          messageId: `lapse:full:overdue:${t(70)}`,
          dispatch: { state: 'submitted', taskId: 'lapse-task', attempts: 1 },
        },
      ],
      selfTimed: false,
      warnings: ['after_unknown'],
      raised: expect.objectContaining({ extra: { kept: 1 }, dueAt: t(60) }),
    });
    expect(await app.get('/v1/expectations/booking/gone')).toMatchObject({
      status: 'withdrawn',
      withdrawn: 'superseded',
      withdrawnAt: t(110),
      supersededBy: 'later',
      reason: 'more time',
      grace: 'PT0S',
      after: [],
    });
  });

  it('are found by ids with anything in them, percent-encoded', async () => {
    const path = `/v1/expectations/${encodeURIComponent(oddId)}/${encodeURIComponent(oddId)}`;
    expect(await app.get(path)).toMatchObject({
      agentId: oddId,
      expectationId: oddId,
      subject: { type: oddId, id: oddId },
    });
    expect(
      await app.get(`/v1/subjects/${encodeURIComponent(oddId)}/${encodeURIComponent(oddId)}/timeline`),
    ).toMatchObject({
      subject: { id: oddId },
    });
    expect(await problem('/v1/expectations/booking/none', 404)).toMatchObject({ type: '/problems/not-found' });
  });

  it.each([
    ['', ['full', 'later', 'sooner', 'gone', oddId, 'stuck']],
    ['status=open', ['later', 'sooner', oddId, 'stuck']],
    ['status=open&order=due', ['sooner', 'later', oddId, 'stuck']],
    ['status=withdrawn', ['gone']],
    ['lapse=overdue', ['full']],
    ['lapse=any', ['full', 'sooner']],
    ['lapse=any&status=open', ['sooner']],
    ['kind=shipment.arrival', ['sooner']],
    ['agentId=other', ['later']],
    ['slip=PT10S', ['full']],
    ['slip=PT10.001S', []],
    ['slip=PT0S&status=withdrawn', ['gone']],
    ['grace=true', []],
    ['grace=false&status=withdrawn', ['gone']],
    [`expectationId=${encodeURIComponent(oddId)}`, [oddId]],
    [`subjectType=${encodeURIComponent(oddId)}`, [oddId]],
    [`subjectType=shipment&subjectId=S1&status=withdrawn`, ['gone']],
    [`dueFrom=${t(100)}&dueTo=${t(900)}`, ['sooner']],
    ['suspended=true', ['sooner', 'stuck']],
    ['nothingWillLapse=true', ['sooner', 'stuck']],
    ['nothingWillLapse=false&status=open', ['later', oddId]],
    [`text=${encodeURIComponent('100%_ AT doh')}`, ['sooner']],
    [`text=${encodeURIComponent('MENT 100%\\?')}`, [oddId]],
  ])('are listed by %s', async (query, expected) => {
    expect(ids(await list(query))).toEqual(expected);
  });

  it('are in their grace from their due time on, until they lapse', async () => {
    await app.tell(
      'globex',
      [
        expectationRecorded({ expectationId: 'in it', dueAt: t(100), content: { grace: 'PT2H' } }),
        expectationRecorded({ expectationId: 'just due', dueAt: t(150) }),
        expectationRecorded({ expectationId: 'over', dueAt: t(90) }),
        expectationLapsed({ expectationId: 'over', at: t(91) }),
      ],
      [expectationRecorded({ expectationId: 'to come', at: t(150), dueAt: t(900) })],
    );
    const inGrace = async (grace: boolean) =>
      ids((await app.get(`/v1/expectations?grace=${grace}`, app.otherKey)) as Listed);
    expect(await inGrace(true)).toEqual(['in it']);
    expect(await inGrace(false)).toEqual(['just due', 'over', 'to come']);
  });

  it.each(['', 'status=open&order=due', 'status=open'])('come page by page, each once, by %s', async (query) => {
    const whole = ids(await list(query));
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const page = await list(`limit=1&${query}${next === undefined ? '' : `&cursor=${next}`}`);
      seen.push(...ids(page));
      next = page.next;
    } while (next !== undefined);
    expect(seen).toEqual(whole);
  });

  it('come all at once as lines', async () => {
    const answer = await fetch(`${app.edge.url}/v1/expectations?status=open`, {
      headers: { authorization: `Bearer ${app.key}`, accept: 'application/x-ndjson' },
    });
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).expectationId)).toEqual(['later', 'sooner', oddId, 'stuck']);
  });

  it('warn where nothing will lapse, at the log’s last instant', async () => {
    expect(await app.get('/v1/expectations/booking/stuck')).toMatchObject({
      suspended: true,
      warnings: ['nothing_will_lapse'],
    });
  });

  it.each([
    ['order=due', 'order'],
    ['status=lapsed', 'status'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=1', 'cursor'],
    ['cursor=x.y', 'cursor'],
    ['dueFrom=yesterday', 'dueFrom'],
    ['suspended=maybe', 'suspended'],
    ['grace=PT1H', 'grace'],
    ['slip=1h', 'slip'],
    ['colour=red', 'colour'],
    ['status=open&status=open', 'status'],
    ['after=nowhere', 'after'],
    [`text=${'x'.repeat(1_025)}`, 'text'],
  ])('are refused by name where %s is asked', async (query, field) => {
    expect(await problem(`/v1/expectations?${query}`, 422)).toMatchObject({ field });
  });
});
