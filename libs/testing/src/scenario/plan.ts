// Draws what a scenario's expectations will be, before it is drawn when they are seen: a plan of whole contents under few ids.
// The same content is then seen again (repeats), judged again (refusals), and used again after it was forgotten.
import fc from 'fast-check';
import { chance, inPercent, present, weighted } from './draw.ts';
import { jitterMs, onGrid, rewritten } from './grid.ts';
import { factKeys, kinds, plannedCount, plannedId, subjects } from './pool.ts';

/** The content of an expectation, well-formed. */
export type Content = Readonly<Record<string, unknown>>;

const dueInstants = fc
  .record({
    hours: fc.oneof(
      { weight: 85, arbitrary: fc.integer({ min: 0, max: 18 }) },
      { weight: 15, arbitrary: fc.integer({ min: 19, max: 40 }) },
    ),
    ms: jitterMs,
    written: weighted<'as it is' | 'with an offset' | 'with a fraction'>(
      [84, 'as it is'],
      [8, 'with an offset'],
      [8, 'with a fraction'],
    ),
  })
  .map(({ hours, ms, written }) => rewritten(onGrid(hours, ms), written));

const graces = weighted<string | undefined>(
  [45, undefined],
  [10, 'PT0S'],
  [25, 'PT1H'],
  [14, 'PT2H'],
  [4, 'PT3599.999S'],
  [2, 'P1M'],
);
const offsets = weighted([15, 'PT0S'], [40, 'PT1H'], [25, 'PT2H'], [15, 'PT3H'], [3, 'P1D'], [2, 'P1MT1H']);
const bases = weighted([60, 'observed'], [20, 'contract'], [17, 'declared'], [3, 'forecast']);
const someIndex = fc.integer({ min: 0, max: plannedCount - 1 });

/** An index mostly lower than one's own, so that what is named has often been seen. */
function earlier(own: number): fc.Arbitrary<number> {
  return own === 0
    ? someIndex
    : fc.oneof({ weight: 70, arbitrary: fc.integer({ min: 0, max: own - 1 }) }, { weight: 30, arbitrary: someIndex });
}

const unknownFields = weighted<unknown>(
  [85, undefined],
  [10, { kept: [true, 1, { deep: null }] }],
  [5, JSON.parse('{"__proto__": 1}')],
);

function fresh(own: number): fc.Arbitrary<Content> {
  return fc
    .record({
      kind: kinds,
      subject: subjects,
      factKey: factKeys,
      dueAt: dueInstants,
      grace: graces,
      basis: bases,
      anchor: inPercent(45, fc.record({ index: earlier(own), offset: offsets })),
      after: inPercent(60, fc.array(earlier(own), { maxLength: 3 })),
      horizon: inPercent(35, dueInstants),
      supersedes: inPercent(12, earlier(own)),
      note: unknownFields,
    })
    .map(({ anchor, after, supersedes, factKey, subject, ...drawn }) =>
      present({
        expectationId: plannedId(own),
        expects: `${drawn.kind} of ${subject.id}`,
        ...drawn,
        subject,
        satisfiedBy: { factKey },
        anchor:
          anchor === undefined || anchor.index === own
            ? undefined
            : { expectationId: plannedId(anchor.index), offset: anchor.offset },
        after: after?.map(plannedId),
        supersedes: supersedes === undefined || supersedes === own ? undefined : plannedId(supersedes),
      }),
    );
}

/** What an extension of another expectation changes; without a change it repeats its ancestor. */
const changes = fc.record({
  back: weighted([75, 1], [15, 2], [10, 3]),
  dueAt: inPercent(65, dueInstants),
  factKey: inPercent(12, factKeys),
  subject: inPercent(10, subjects),
  dropsAnchor: chance(50),
  /** Waits beside the other for the same, instead of extending it. */
  isTwin: chance(35),
});

/** The plan: content by index. A content may extend the one planned shortly before it. */
export const plans: fc.Arbitrary<readonly Content[]> = fc
  .tuple(
    ...Array.from({ length: plannedCount }, (_, own) =>
      fc.record({ content: fresh(own), extends: inPercent(42, changes) }),
    ),
  )
  .map((drafts) => {
    const plan: Content[] = [];
    for (const [own, draft] of drafts.entries()) {
      const ancestor = draft.extends === undefined ? undefined : plan[own - draft.extends.back];
      plan.push(
        ancestor === undefined || draft.extends === undefined ? draft.content : extend(own, ancestor, draft.extends),
      );
    }
    return plan;
  });

type Changes = typeof changes extends fc.Arbitrary<infer T> ? T : never;

function extend(own: number, ancestor: Content, change: Changes): Content {
  return present({
    ...ancestor,
    expectationId: plannedId(own),
    supersedes: change.isTwin ? undefined : ancestor['expectationId'],
    dueAt: change.dueAt ?? ancestor['dueAt'],
    subject: change.subject ?? ancestor['subject'],
    satisfiedBy: change.factKey === undefined ? ancestor['satisfiedBy'] : { factKey: change.factKey },
    anchor: change.dropsAnchor ? undefined : ancestor['anchor'],
  });
}
