import type { Event } from '#expectations';
import { Problem } from '#runtime';
import type { PlannedObservation } from './observation-result.ts';
import { answerWrite } from './write-answer.ts';

const at = '2026-09-11T02:41:07Z';
const of = { at, agentId: 'booking', expectationId: 'e1' };
const ofFact = { at, reporter: 'feed', index: 0 };

const factRecorded = (index: number): Event => ({
  ...ofFact,
  type: 'factRecorded',
  index,
  factNumber: 1,
  fact: {},
  observedAt: at,
  subjects: [],
});
const factRepeated = (index: number): Event => ({
  ...ofFact,
  type: 'factRepeated',
  index,
  fact: {},
  observedAt: at,
  satisfies: false,
});
const factRefused = (index: number): Event => ({
  ...ofFact,
  type: 'factRefused',
  index,
  factKey: null,
  code: 'invalid',
  message: 'factKey: is missing',
});
const satisfied = (expectationId: string): Event => ({
  ...of,
  type: 'expectationSatisfied',
  expectationId,
  satisfiedAt: at,
  observedAt: at,
  source: 'feed',
  late: false,
  reportedLate: false,
  how: 'fact',
});
const recorded = (expectationId: string, agentId = 'booking'): Event => ({
  ...of,
  type: 'expectationRecorded',
  agentId,
  expectationId,
  taskId: 't',
  contextId: 'c',
  content: {},
  projectedDueAt: at,
  dueAt: at,
  lineage: 0,
  question: false,
  warnings: expectationId === 'odd' ? ['basis_unknown'] : [],
});
const refused = (expectationId: string | null): Event => ({
  at,
  type: 'expectationRefused',
  agentId: 'booking',
  expectationId,
  taskId: 't',
  contextId: 'c',
  code: 'invalid',
  message: 'kind: is missing',
  contentHash: '0',
  reported: true,
});
const withdrawn = (expectationId: string, cause: 'agent' | 'retired', agentId = 'booking'): Event => ({
  ...of,
  type: 'expectationWithdrawn',
  agentId,
  expectationId,
  withdrawn: cause,
});

const observation = (over: Partial<PlannedObservation> = {}): PlannedObservation => ({
  agentId: 'booking',
  recordCount: 1,
  notes: [],
  facts: [],
  keptOut: [],
  ...over,
});

describe('the answer to facts', () => {
  const plan = (places: readonly number[], single = false) => ({
    kind: 'facts' as const,
    single,
    facts: places.map((place) => ({ record: 0, place })),
  });

  it('finds each fact by its place in the report, not by the order decided', () => {
    const events = [factRepeated(1), satisfied('e2'), factRecorded(0), satisfied('e1'), satisfied('e3')];
    expect(answerWrite(plan([0, 1]), [events], '0-7')).toEqual({
      kind: 'taken',
      body: {
        results: [
          {
            outcome: 'accepted',
            satisfied: [
              { agentId: 'booking', expectationId: 'e1' },
              { agentId: 'booking', expectationId: 'e3' },
            ],
          },
          { outcome: 'repeated', satisfied: [{ agentId: 'booking', expectationId: 'e2' }] },
        ],
        position: '0-7',
      },
    });
  });

  it('is 207 when one of several was refused', () => {
    const answer = answerWrite(plan([0, 1]), [[factRefused(0), factRecorded(1)]], '0-7');
    expect(answer.kind).toBe('someRefused');
    expect(answer.body['results']).toMatchObject([
      { outcome: 'refused', code: 'invalid', message: 'factKey: is missing', satisfied: [] },
      { outcome: 'accepted' },
    ]);
  });

  it('is a problem naming the field when the only one was refused', () => {
    const answer = () => answerWrite(plan([0], true), [[factRefused(0)]], '0-7');
    expect(answer).toThrow(Problem);
    expect(answer).toThrow('factKey: is missing');
  });

  it('stays 200 for what was quarantined', () => {
    const result = { outcome: 'quarantined' as const, code: 'implausible', message: 'too old', satisfied: [] };
    const answer = answerWrite({ kind: 'facts', single: true, facts: [{ result }] }, [], undefined);
    expect(answer).toEqual({ kind: 'taken', body: { results: [result] } });
  });

  it('says so when the ledger decided nothing of it', () => {
    expect(answerWrite(plan([0, 1]), [[]], '0-7').body['results']).toMatchObject([
      { outcome: 'refused', code: 'not_decided' },
      { outcome: 'refused', code: 'not_decided' },
    ]);
  });
});

describe('the answer to observations', () => {
  const answer = (items: Parameters<typeof answerWrite>[0] & { kind: 'observations' }, decided: readonly Event[][]) =>
    answerWrite(items, decided, '3-1');

  it('tells each expectation in the order listed, its warnings where it has any', () => {
    const events = [recorded('e1'), recorded('odd'), refused(null), { ...of, type: 'expectationRepeated' as const }];
    const { kind, body } = answer({ kind: 'observations', items: [observation()] }, [events]);
    expect(kind).toBe('someRefused');
    expect(body).toEqual({
      results: [
        {
          expectations: [
            { expectationId: 'e1', outcome: 'recorded' },
            { expectationId: 'odd', outcome: 'recorded', warnings: ['basis_unknown'] },
            { expectationId: null, outcome: 'refused', code: 'invalid', message: 'kind: is missing' },
            { expectationId: 'e1', outcome: 'repeated' },
          ],
          facts: [],
          withdrawn: [],
        },
      ],
      position: '3-1',
    });
  });

  it('gives each observation the events of its own records', () => {
    const items = [observation({ recordCount: 2 }), observation({ recordCount: 0 }), observation()];
    const { body } = answer({ kind: 'observations', items }, [[recorded('e1')], [recorded('e2')], [recorded('e3')]]);
    const ids = (body['results'] as { expectations: { expectationId: string }[] }[]).map(({ expectations }) =>
      expectations.map(({ expectationId }) => expectationId),
    );
    expect(ids).toEqual([['e1', 'e2'], [], ['e3']]);
  });

  it('leaves out what deadlines did, and other agents', () => {
    const events = [withdrawn('old', 'retired'), withdrawn('theirs', 'agent', 'other'), withdrawn('e1', 'agent')];
    expect(answer({ kind: 'observations', items: [observation()] }, [events])).toMatchObject({
      kind: 'taken',
      body: { results: [{ withdrawn: [{ expectationId: 'e1', withdrawn: 'agent' }] }] },
    });
  });

  it('says better than the decider why the edge let only a stub through', () => {
    const notes = [
      { part: 'expectations', record: 0, index: 1, path: '$.x', message: 'expects is too long' },
      { part: 'reason', path: '$.reason', message: 'was ignored' },
    ];
    const { body } = answer({ kind: 'observations', items: [observation({ notes })] }, [
      [recorded('e1'), refused('e2')],
    ]);
    expect(body['results']).toMatchObject([
      {
        expectations: [{ outcome: 'recorded' }, { outcome: 'refused', message: 'expects is too long' }],
        notes: [{ path: '$.reason', message: 'was ignored' }],
      },
    ]);
  });

  it('keeps the place of an item that was refused whole', () => {
    const items = [{ code: 'agent_unknown', message: 'not registered' }, observation()];
    expect(answer({ kind: 'observations', items }, [[recorded('e1')]])).toMatchObject({
      kind: 'someRefused',
      body: {
        results: [
          { outcome: 'refused', code: 'agent_unknown', expectations: [], facts: [], withdrawn: [] },
          { expectations: [{ expectationId: 'e1' }] },
        ],
      },
    });
  });
});
