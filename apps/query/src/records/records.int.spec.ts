// Subjects, lapses, dispatches, facts, refusals and the overview over HTTP, on PostgreSQL.
import { dispatchFailed, expectationRefused, factRefused, type ReadApp, readingStory, startReadApp, t } from '#testing';
import { QueryModule } from '../query.module.ts';
import type { Timeline } from '../subjects/timeline.ts';

describe('the record', () => {
  let app: ReadApp;

  beforeAll(async () => {
    app = await startReadApp([QueryModule]);
    await app.tell(
      'acme',
      ...readingStory,
      [expectationRefused({ expectationId: null, at: t(200) }), factRefused({ at: t(200), factKey: null })],
      [
        dispatchFailed({
          expectationId: 'sooner',
          lapse: 'stalled',
          outcome: 'parked',
          cause: 'status 400',
          at: t(201),
          attempt: 2,
        }),
      ],
      [
        {
          ...{ type: 'refusalTellingEnded', at: t(201), agentId: 'booking', contextId: 'context-1' },
          ...{ outcome: 'told', taskId: 'told-task' },
          refusals: [{ ledgerOffset: readingStory.length, eventIndex: 0 }],
        },
      ],
    );
  });
  afterAll(() => app.close());

  const listed = async (path: string): Promise<Record<string, unknown>[]> =>
    ((await app.get(path)) as { items: Record<string, unknown>[] }).items;

  it('lists lapses, the latest first, with the basis of what they rest on and where their task stands', async () => {
    expect(await listed('/v1/lapses')).toMatchObject([
      {
        expectationId: 'sooner',
        lapse: 'stalled',
        basis: 'observed',
        status: 'open',
        dispatch: { state: 'parked', attempts: 2, outcome: 'parked', cause: 'status 400' },
      },
      {
        expectationId: 'full',
        lapse: 'overdue',
        status: 'satisfied',
        lapsedAt: t(80),
        dispatch: { state: 'submitted', taskId: 'lapse-task' },
      },
    ]);
    expect(await listed('/v1/lapses?state=parked')).toHaveLength(1);
    const first = (await app.get('/v1/lapses?limit=1')) as { next: string };
    expect(await listed(`/v1/lapses?limit=1&cursor=${first.next}`)).toMatchObject([{ expectationId: 'full' }]);
  });

  it('lists dispatches', async () => {
    expect(await listed('/v1/dispatches?agentId=booking&lapse=stalled')).toEqual([
      {
        agentId: 'booking',
        expectationId: 'sooner',
        lapse: 'stalled',
        messageId: expect.stringContaining('lapse:sooner:stalled:'),
        lapsedAt: t(101),
        state: 'parked',
        attempts: 2,
        outcome: 'parked',
        cause: 'status 400',
        changedAt: t(201),
      },
    ]);
  });

  it('lists facts and refusals', async () => {
    expect(await listed('/v1/facts?subjectType=shipment&subjectId=S1&factKey=departed:S1&source=tower')).toEqual([
      {
        factKey: 'departed:S1',
        observedAt: t(90),
        receivedAt: t(90),
        source: 'tower',
        subjects: [{ type: 'shipment', id: 'S1' }],
        satisfied: [{ agentId: 'booking', expectationId: 'full' }],
        reported: { factKey: 'departed:S1', observedAt: t(90), subject: { type: 'shipment', id: 'S1' } },
      },
    ]);
    expect(await app.edge.call('GET', '/v1/facts?subjectType=shipment', { key: app.key })).toMatchObject({
      status: 422,
      body: { field: 'subjectId' },
    });
    expect(await listed('/v1/refusals')).toEqual([
      { refused: 'fact', code: 'invalid', message: expect.any(String), refusedAt: t(200), source: 'tower' },
      {
        refused: 'expectation',
        code: 'undeclared_kind',
        message: expect.any(String),
        refusedAt: t(200),
        agentId: 'booking',
        taskId: 'task-1',
        telling: { outcome: 'told', endedAt: t(201), taskId: 'told-task' },
      },
    ]);
    expect(await listed('/v1/refusals?refused=fact')).toHaveLength(1);
  });

  it('counts what the page shows first', async () => {
    const of = (count: number) => ({ count, isMore: false });
    expect(await app.get('/v1/overview')).toEqual({
      asOf: t(201),
      open: of(4),
      lapsed: of(1),
      nothingWillLapse: of(2),
      refused: of(2),
      undelivered: of(1),
      quarantined: of(0),
      mayOperate: false,
    });
  });

  it('of a subject has three tracks, its facts, its lapses, and what was superseded', async () => {
    const timeline = (await app.get('/v1/subjects/shipment/S1/timeline')) as Timeline;
    expect(timeline.tracks.projected).toContainEqual({ agentId: 'booking', expectationId: 'full', at: t(60) });
    expect(timeline.tracks.current).toContainEqual({
      agentId: 'booking',
      expectationId: 'full',
      at: t(70),
      isCertain: true,
    });
    expect(timeline.tracks.actual).toEqual([{ agentId: 'booking', expectationId: 'full', at: t(90), late: true }]);
    expect(timeline.facts).toMatchObject([
      { factKey: 'departed:S1', source: 'tower', satisfied: [{ agentId: 'booking', expectationId: 'full' }] },
    ]);
    expect(timeline.lapses.map(({ lapse, basis }) => [lapse, basis])).toEqual([
      ['overdue', 'observed'],
      ['stalled', 'observed'],
    ]);
    expect(timeline.superseded).toEqual([
      { agentId: 'booking', expectationId: 'gone', at: t(110), supersededBy: 'later' },
    ]);
    expect(timeline).toMatchObject({ subject: { type: 'shipment', id: 'S1' }, asOf: t(201), isTruncated: false });
  });

  it('of a subject of which nothing is recorded is not found', async () => {
    const answer = await app.edge.call('GET', '/v1/subjects/shipment/S2/timeline', { key: app.key });
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
  });
});
