// Facts, each rule as a sentence: what they satisfy, what they re-anchor, what they leave alone.
import {
  dispatchVoided,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationSatisfied,
  factRecorded,
  factRefused,
  given,
  raising,
  reporting,
  t,
} from '#testing';
import type { FactRepeated } from './event.ts';

const e1 = expectationRecorded();
const later = { factKey: 'arrived:S1' };
/** The next step: anchored to the first, and after it. */
const e2 = expectationRecorded({
  expectationId: 'e2',
  projectedDueAt: t(120),
  content: {
    kind: 'shipment.arrival',
    expects: 'S1 arrives',
    satisfiedBy: later,
    anchor: { expectationId: 'e1', offset: 'PT1M' },
    after: ['e1'],
  },
});
const departed = factRecorded();
const satisfied = expectationSatisfied({ factKey: 'departed:S1', factNumber: 1 });
const overdue = expectationLapsed();

describe('a fact', () => {
  it('satisfies what waits for its key', () => {
    given(e1).when(reporting(departed)).then(departed, satisfied);
  });

  it('satisfies all that wait for its key, in the order of recording, and is recorded on each subject', () => {
    const other = expectationRecorded({ expectationId: 'e2', content: { subject: { type: 'shipment', id: 'S2' } } });
    const onBoth = factRecorded({
      subjects: [
        { type: 'shipment', id: 'S1' },
        { type: 'shipment', id: 'S2' },
      ],
    });
    given(e1, other)
      .when(reporting(onBoth))
      .then(onBoth, satisfied, { ...satisfied, expectationId: 'e2' });
  });

  it.each(['Departed:S1', 'departed:S1 ', 'departed:S11', 'departed:s1'])(
    'with the key %p satisfies nothing',
    (factKey) => {
      const other = factRecorded({ fact: { factKey } });
      given(e1).when(reporting(other)).then(other);
    },
  );

  it('seen before changes nothing, and satisfies nothing that has come since', () => {
    const repeated: FactRepeated = {
      type: 'factRepeated',
      at: t(40),
      reporter: 'tower',
      index: 0,
      fact: departed.fact,
      observedAt: t(30),
      satisfies: false,
    };
    given(e1, departed, satisfied)
      .when({ ...reporting(departed), at: t(40) })
      .then(repeated);
  });

  it('is late when it was observed, reported late when it was received after the due time', () => {
    const seen = factRecorded({ at: t(70), observedAt: t(60) });
    given(e1, overdue)
      .when(reporting(seen))
      .then(
        seen,
        { ...satisfied, at: t(70), satisfiedAt: t(70), observedAt: t(60), late: false, reportedLate: true },
        dispatchVoided({ at: t(70) }),
      );
  });

  it('observed in the future is taken as observed when it was received', () => {
    const seen = factRecorded({ observedAt: t(30), fact: { observedAt: t(9_000) } });
    given(e1).when(reporting(seen)).then(seen, satisfied);
  });

  it('that is malformed is refused, and the rest of its report is applied', () => {
    const refused = factRefused({
      factKey: null,
      message: 'factKey: must be a non-empty string',
    });
    given(e1)
      .when({ ...reporting(departed), facts: [{ observedAt: t(30) }, departed.fact] })
      .then(refused, { ...departed, index: 1 }, satisfied);
  });

  it('received before what it satisfies satisfies it when that is recorded', () => {
    const raised = { ...e1, at: t(40) };
    given(departed)
      .when(raising(raised))
      .then(raised, { ...satisfied, at: t(40), satisfiedAt: t(30), how: 'early' });
  });

  it('serves an agent once: what is recorded after it has satisfied something is left open', () => {
    const second = expectationRecorded({ at: t(40), expectationId: 'e2' });
    given(e1, departed, satisfied).when(raising(second)).then(second);
  });

  it('sets the due time of what hangs from what it satisfied, once', () => {
    const reanchored = expectationReanchored({ at: t(30), expectationId: 'e2', anchorId: 'e1', dueAt: t(90) });
    given(e1, e2).when(reporting(departed)).then(departed, satisfied, reanchored);
    const again = factRecorded({ at: t(40), factNumber: 2 });
    given(e1, e2, departed, satisfied, reanchored).when(reporting(again)).then(again);
  });
});
