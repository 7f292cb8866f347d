// What is remembered and what is forgotten: afterwards it is as if it had never been. The instants are in deadline.spec.ts.
import {
  artifact,
  configured,
  dispatchVoided,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationSatisfied,
  expectationWithdrawn,
  factRecorded,
  folded,
  given,
  raising,
  reporting,
  status,
  statusApplied,
  t,
} from '#testing';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import { takeSnapshot } from './snapshot.ts';
import type { State } from './state/state.ts';

const DAY = 86_400;
const farDue = { projectedDueAt: t(900 * DAY) };
const e1 = expectationRecorded(farDue);
const departed = factRecorded();
const satisfied = expectationSatisfied({ factKey: 'departed:S1', factNumber: 1 });
const closed: readonly Event[] = [e1, departed, satisfied];

/** How many rows a snapshot of the state has in each part. */
function rowCounts(state: State): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const part of takeSnapshot(state)) {
    if (part.part !== 'head') counts[part.part] = (counts[part.part] ?? 0) + part.rows.length;
  }
  return counts;
}

describe('a closed expectation', () => {
  it('is known by its id: used again for the same it is a repeat, for something else it is refused', () => {
    const other = { ...e1.content, expects: 'something else' };
    expect(decide(folded(closed), artifact({ expectations: [e1.content, other] }, { at: t(40) }))).toMatchObject([
      { type: 'expectationRepeated' },
      { type: 'expectationRefused', code: 'id_reused' },
    ]);
  });

  it('still fixes the due time of what is anchored to it', () => {
    const e2 = expectationRecorded({
      ...{ at: t(50), expectationId: 'e2' },
      content: { satisfiedBy: { factKey: 'x' }, anchor: { expectationId: 'e1', offset: 'PT1H' } },
    });
    given(...closed)
      .when(raising(e2))
      .then(e2, expectationReanchored({ at: t(50), expectationId: 'e2', anchorId: 'e1', dueAt: t(30 + 3_600) }));
  });

  it('that was forgotten stays so, though more is remembered from then on', () => {
    const successor = expectationRecorded({
      ...{ at: t(10), expectationId: 'e2', lineage: 1, projectedDueAt: t(800 * DAY) },
      content: { supersedes: 'e1' },
    });
    const replaced = expectationWithdrawn({ at: t(10), withdrawn: 'superseded', supersededBy: 'e2' });
    const likeTheFirst = expectationRecorded({
      ...{ at: t(30), expectationId: 'e3', lineage: 2, ...farDue },
      content: { supersedes: 'e2' },
    });
    const settings = (at: string, closedMemory: string) => configured({ at, settings: { closedMemory } });
    given(settings(t(0), 'PT0S'), e1, successor, replaced, settings(t(20), 'P1Y'))
      .when(raising(likeTheFirst))
      .then(
        likeTheFirst,
        expectationWithdrawn({ at: t(30), expectationId: 'e2', withdrawn: 'superseded', supersededBy: 'e3' }),
      );
    expect(decide(folded([e1, successor, replaced]), raising(likeTheFirst))).toMatchObject([
      { code: 'identical_in_lineage' },
    ]);
  });

  it('that was replaced means its successor, also when it is forgotten itself', () => {
    const successor = expectationRecorded({
      ...{ at: t(10), expectationId: 'e2', lineage: 1, ...farDue },
      content: { supersedes: 'e1', satisfiedBy: { factKey: 'x' } },
    });
    const hanging = expectationRecorded({
      ...{ expectationId: 'e3', ...farDue },
      content: { satisfiedBy: { factKey: 'y' }, anchor: { expectationId: 'e1', offset: 'PT1H' } },
    });
    const replaced = expectationWithdrawn({ at: t(10), withdrawn: 'superseded', supersededBy: 'e2' });
    const fact = factRecorded({ at: t(200 * DAY), fact: { factKey: 'x' } });
    given(e1, hanging, successor, replaced)
      .when(reporting(fact))
      .then(
        fact,
        {
          ...satisfied,
          at: t(200 * DAY),
          expectationId: 'e2',
          satisfiedAt: t(200 * DAY),
          observedAt: t(200 * DAY),
          factKey: 'x',
        },
        expectationReanchored({ at: t(200 * DAY), expectationId: 'e3', anchorId: 'e2', dueAt: t(200 * DAY + 3_600) }),
      );
  });

  it('forgotten leaves nothing', () => {
    const state = folded(closed);
    expect(rowCounts(state)).toEqual({ agents: 1, closed: 1, matched: 1, recent: 1 });
    decide(state, { type: 'tick', at: t(31 + 90 * DAY) });
    expect(rowCounts(state)).toEqual({ agents: 1 });
  });

  it('that named what nobody recorded holds its name for as long as it is remembered', () => {
    const naming = expectationRecorded({ ...farDue, content: { after: ['e9'] }, warnings: ['after_unknown'] });
    const state = folded([naming, departed, satisfied]);
    expect(rowCounts(state)).toMatchObject({ unknown: 1, namings: 1 });
    const e9 = expectationRecorded({
      ...{ at: t(40), expectationId: 'e9', ...farDue },
      content: { satisfiedBy: { factKey: 'x' } },
    });
    expect(decide(state, raising(e9))).toMatchObject([
      { type: 'expectationRecorded' },
      { lapse: { lapse: 'skipped', satisfiedAfter: ['e1'] } },
    ]);
    const later = folded([naming, departed, satisfied]);
    expect(decide(later, raising({ ...e9, at: t(31 + 90 * DAY) }))).toMatchObject([{ type: 'expectationRecorded' }]);
    expect(rowCounts(later)).not.toHaveProperty('namings');
  });
});

describe('facts', () => {
  const facts = [1, 2, 3].map((number) => factRecorded({ factNumber: number, fact: { factKey: `seen:${number}` } }));

  it('that satisfied nothing are at most so many, the oldest forgotten first', () => {
    const state = folded([configured({ settings: { factMemoryMax: 2 } }), ...facts]);
    const answers = facts.map((fact) => decide(state, { ...reporting(fact), at: t(40) })[0]?.type);
    expect(answers).toEqual(['factRecorded', 'factRecorded', 'factRecorded']);
    const again = [...facts].reverse().map((fact) => decide(state, { ...reporting(fact), at: t(41) })[0]?.type);
    expect(again).toEqual(['factRepeated', 'factRepeated', 'factRecorded']);
  });

  it('of one report are all taken before the oldest are forgotten', () => {
    const state = folded([configured({ settings: { factMemoryMax: 0 } })]);
    const [first, second] = facts;
    const twice = { ...reporting(first!), facts: [first!.fact, first!.fact, second!.fact] };
    expect(decide(state, twice).map(({ type }) => type)).toEqual(['factRecorded', 'factRepeated', 'factRecorded']);
    expect(decide(state, { ...twice, at: t(31) }).map(({ type }) => type)).toEqual([
      'factRecorded',
      'factRepeated',
      'factRecorded',
    ]);
  });

  it('that came early and are forgotten by number satisfy nothing any more', () => {
    const raised = { ...e1, at: t(40) };
    given(configured({ settings: { factMemoryMax: 0 } }), departed)
      .when(raising(raised))
      .then(raised);
  });
});

describe('a task', () => {
  const working = statusApplied({ statusAt: t(8) });
  const stale = status({ at: t(200 * DAY), statusAt: t(7) });

  it('whose latest status is long past is forgotten', () => {
    given(working)
      .when(stale)
      .then(statusApplied({ at: t(200 * DAY), statusAt: t(7) }));
  });

  it('is known for as long as something open was raised by it', () => {
    given(e1, working)
      .when(stale)
      .then({ type: 'statusIgnored', at: t(200 * DAY), agentId: 'booking', taskId: 'task-1', why: 'stale' });
  });

  it('is forgotten by the very input that finds its last expectation retired, before that is applied', () => {
    const hours = configured({ settings: { closedMemory: 'PT1H', retireAfter: 'PT2H' } });
    const at = t(61 + 7_200 + 1);
    given(hours, expectationRecorded(), working, expectationLapsed())
      .when(status({ at, statusAt: t(7) }))
      .then(
        expectationWithdrawn({ at, withdrawn: 'retired' }),
        dispatchVoided({ at, cause: 'withdrawn' }),
        statusApplied({ at, statusAt: t(7) }),
      );
  });
});

describe('refusals', () => {
  const contents = [1, 2, 3].map((number) => ({ ...e1.content, expectationId: `e${number}`, kind: 'teleport' }));

  it('of an agent are at most so many, the oldest forgotten first', () => {
    const state = folded([configured({ settings: { refusalMemory: 2 } })]);
    decide(state, artifact({ expectations: contents }));
    const again = contents.toReversed().map((content) => decide(state, artifact({ expectations: [content] }))[0]);
    expect(again).toMatchObject([{ reported: false }, { reported: false }, { reported: true }]);
  });
});

it('nothing that is open is forgotten, however long it stays', () => {
  const lapsed = [expectationRecorded(), expectationLapsed()];
  const patient = expectationRecorded({ expectationId: 'e2', ...farDue });
  const state = folded([configured({ settings: { retireAfter: 'P1Y' } }), ...lapsed, patient]);
  decide(state, { type: 'tick', at: t(300 * DAY) });
  expect(rowCounts(state)).toMatchObject({ open: 2, subjects: 1, tasks: 1 });
});
