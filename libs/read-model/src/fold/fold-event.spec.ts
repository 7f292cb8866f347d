import type { Event } from '#expectations';
import {
  dispatchAcknowledged,
  dispatchAttempted,
  dispatchFailed,
  dispatchVoided,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationRefused,
  expectationReleased,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
  factRefused,
  statusApplied,
  t,
} from '#testing';
import { Changes } from './changes.ts';
import { foldEvent } from './fold-event.ts';

function given(...events: Event[]): Changes {
  const changes = new Changes();
  events.forEach((event, eventIndex) => foldEvent(changes, { tenant: 'acme', ledgerOffset: 7, eventIndex }, event));
  return changes;
}

const expectation = (...events: Event[]) => given(...events).recorded.at(-1)!;
const lapse = (...events: Event[]) => [...given(...events).lapsed.values()].at(-1)!;

describe('an expectation, folded', () => {
  it('has every field of what was raised, and the content itself', () => {
    const content = {
      grace: 'PT2H',
      horizon: '2026-09-03T02:00:00+02:00',
      anchor: { expectationId: 'e0', offset: 'PT5M' },
      after: ['e0'],
      supersedes: 'old',
      unknown: { kept: true },
    };
    expect(expectation(expectationRecorded({ content, warnings: ['after_unknown'], lineage: 1 }))).toMatchObject({
      tenant: 'acme',
      agentId: 'booking',
      expectationId: 'e1',
      occurrence: 1,
      ledgerOffset: 7,
      eventIndex: 0,
      kind: 'shipment.departure',
      subjectType: 'shipment',
      subjectId: 'S1',
      expects: 'S1 departs',
      factKey: 'departed:S1',
      basis: 'observed',
      grace: 'PT2H',
      horizon: '2026-09-03T00:00:00Z',
      anchor: { expectationId: 'e0', offset: 'PT5M' },
      after: ['e0'],
      supersedes: 'old',
      lineage: 1,
      warnings: ['after_unknown'],
      raised: expect.objectContaining(content),
      recordedAt: t(0),
      projectedDueAt: t(60),
      dueAt: t(60),
      suspended: false,
      status: 'open',
    });
  });

  it('has a grace of zero and nothing after it where it says neither', () => {
    expect(expectation(expectationRecorded())).toMatchObject({ grace: 'PT0S', after: [], horizon: null, anchor: null });
  });

  it('keeps its projected time when it is re-anchored', () => {
    const row = expectation(
      expectationRecorded(),
      expectationSuspended(),
      expectationReanchored({ at: t(5), dueAt: t(90) }),
    );
    expect(row).toMatchObject({ projectedDueAt: t(60), dueAt: t(90), reanchoredAt: t(5), suspended: false });
  });

  it('is suspended until it is released', () => {
    expect(expectation(expectationRecorded(), expectationSuspended())).toMatchObject({ suspended: true });
    expect(expectation(expectationRecorded(), expectationSuspended(), expectationReleased())).toMatchObject({
      suspended: false,
    });
  });

  it('says when, by whom and with which fact it was satisfied', () => {
    const satisfied = expectationSatisfied({
      at: t(70),
      observedAt: t(59),
      source: 'radar',
      reportedLate: true,
      factNumber: 4,
    });
    expect(expectation(expectationRecorded(), expectationSuspended(), satisfied)).toMatchObject({
      status: 'satisfied',
      suspended: false,
      satisfiedAt: t(70),
      observedAt: t(59),
      source: 'radar',
      late: false,
      reportedLate: true,
      factNumber: 4,
    });
  });

  it('says why it was withdrawn and what took its place', () => {
    const withdrawn = expectationWithdrawn({
      at: t(9),
      withdrawn: 'superseded',
      supersededBy: 'e2',
      reason: 'more time',
    });
    expect(expectation(expectationRecorded(), withdrawn)).toMatchObject({
      status: 'withdrawn',
      withdrawn: 'superseded',
      withdrawnAt: t(9),
      supersededBy: 'e2',
      reason: 'more time',
    });
  });

  it('stored before the batch is patched, not loaded', () => {
    const changes = given(expectationReanchored({ dueAt: t(90) }), expectationSatisfied());
    expect(changes.recorded).toEqual([]);
    expect([...changes.expectationPatches.values()]).toEqual([
      expect.objectContaining({ dueAt: t(90), status: 'satisfied', satisfiedAt: t(30) }),
    ]);
  });

  it('whose id is used again in one batch leaves the earlier one as it was', () => {
    const changes = given(expectationRecorded(), expectationWithdrawn(), expectationRecorded(), expectationLapsed());
    expect(changes.recorded.map(({ occurrence, status }) => [occurrence, status])).toEqual([
      [1, 'withdrawn'],
      [2, 'open'],
    ]);
    expect([...changes.lapsed.values()]).toEqual([expect.objectContaining({ occurrence: 2 })]);
  });

  it('of the same id is another one for another agent', () => {
    const changes = given(expectationRecorded(), expectationRecorded({ agentId: 'other' }), expectationSatisfied());
    expect(changes.recorded.map(({ agentId, status }) => [agentId, status])).toEqual([
      ['booking', 'satisfied'],
      ['other', 'open'],
    ]);
  });

  it('is refused where its content is not what a recorded one has', () => {
    expect(() => given(expectationRecorded({ content: { kind: 7 } }))).toThrow('kind of a recorded expectation');
  });
});

describe('a lapse, folded', () => {
  it('waits to be sent', () => {
    expect(lapse(expectationLapsed())).toMatchObject({
      lapse: 'overdue',
      lapsedAt: t(61),
      dispatchState: 'pending',
      attempts: 0,
      block: { expects: 'S1 departs' },
    });
  });

  it('of an agent that keeps its own time is held', () => {
    expect(lapse(expectationLapsed({ selfTimed: true }))).toMatchObject({ dispatchState: 'held', selfTimed: true });
  });

  it('is sending once an attempt is granted, and submitted with its task once acknowledged', () => {
    expect(lapse(expectationLapsed(), dispatchAttempted())).toMatchObject({ dispatchState: 'sending', attempts: 1 });
    const row = lapse(expectationLapsed(), dispatchAttempted(), dispatchAcknowledged({ taskId: 'lapse-task' }));
    expect(row).toMatchObject({ dispatchState: 'submitted', dispatchTaskId: 'lapse-task' });
  });

  it('is concluded at once by an agent that answers with a message', () => {
    expect(lapse(expectationLapsed(), dispatchAttempted(), dispatchAcknowledged())).toMatchObject({
      dispatchState: 'concluded',
      dispatchTaskId: null,
    });
  });

  it.each([
    ['unreachable', 'pending'],
    ['refused', 'pending'],
    ['unknown', 'unknown'],
    ['parked', 'parked'],
  ] as const)('whose send was %s is %s', (outcome, dispatchState) => {
    const failed = dispatchFailed({ outcome, attempt: 3, cause: 'status 503' });
    expect(lapse(expectationLapsed(), dispatchAttempted(), failed)).toMatchObject({
      dispatchState,
      outcome,
      attempts: 3,
      cause: 'status 503',
    });
  });

  it('is voided where what lapsed was closed first', () => {
    expect(lapse(expectationLapsed(), expectationSatisfied(), dispatchVoided())).toMatchObject({
      dispatchState: 'voided',
      cause: 'satisfied',
    });
  });

  it('stays submitted where an attempt too many is answered so', () => {
    const row = lapse(
      expectationLapsed(),
      dispatchAcknowledged({ taskId: 'x' }),
      dispatchVoided({ cause: 'acknowledged', attempt: 2 }),
    );
    expect(row).toMatchObject({ dispatchState: 'submitted' });
  });

  it('keeps each kind apart', () => {
    const changes = given(
      expectationLapsed(),
      expectationLapsed({ block: { lapse: 'skipped' } }),
      dispatchAttempted({ lapse: 'skipped' }),
    );
    expect([...changes.lapsed.values()].map((row) => [row.lapse, row.dispatchState])).toEqual([
      ['overdue', 'pending'],
      ['skipped', 'sending'],
    ]);
  });
});

describe('a fact, folded', () => {
  it('is recorded once on each of its subjects, with what it satisfied', () => {
    const subjects = [
      { type: 'shipment', id: 'S1' },
      { type: 'flight', id: 'EK203' },
    ];
    const changes = given(
      factRecorded({ factNumber: 5, subjects, fact: { extra: 1 } }),
      expectationSatisfied({ factNumber: 5 }),
    );
    expect([...changes.facts.values()]).toEqual([
      expect.objectContaining({
        factNumber: 5,
        reporter: 'tower',
        factKey: 'departed:S1',
        subjects,
        satisfied: [{ agentId: 'booking', expectationId: 'e1' }],
        fact: expect.objectContaining({ extra: 1 }),
      }),
    ]);
    expect(changes.factSubjects.map(({ factNumber }) => factNumber)).toEqual([5, 5]);
  });

  it('received before the batch is told what it satisfies now', () => {
    const changes = given(expectationRecorded(), expectationSatisfied({ how: 'early', factNumber: 2 }));
    expect([...changes.factPatches.values()]).toEqual([
      { tenant: 'acme', factNumber: 2, satisfied: [{ agentId: 'booking', expectationId: 'e1' }] },
    ]);
  });
});

describe('the rest, folded', () => {
  it('lists a refusal once, and none that was not reported again', () => {
    const changes = given(expectationRefused(), expectationRefused({ reported: false }), factRefused());
    expect(changes.refusals.map(({ refused, code }) => [refused, code])).toEqual([
      ['expectation', 'undeclared_kind'],
      ['fact', 'invalid'],
    ]);
  });

  it('knows a task by its latest state, and its statusAt where a status gave one', () => {
    const changes = given(
      statusApplied({ statusAt: t(3) }),
      statusApplied({ state: 'TASK_STATE_COMPLETED', at: t(20) }),
    );
    expect([...changes.tasks.values()]).toEqual([
      expect.objectContaining({ state: 'TASK_STATE_COMPLETED', statusAt: t(3), appliedAt: t(20) }),
    ]);
  });

  it('merges settings of one scope', () => {
    const configured = (settings: object): Event => ({ type: 'configured', at: t(0), settings });
    const changes = given(configured({ lineageBound: 1 }), configured({ factMemoryMax: 9 }));
    expect([...changes.settings.values()]).toEqual([
      expect.objectContaining({ agentId: null, settings: { lineageBound: 1, factMemoryMax: 9 } }),
    ]);
  });

  it('is quiet about repeats and what was ignored', () => {
    const quiet: Event[] = [
      { type: 'expectationRepeated', at: t(0), agentId: 'a', expectationId: 'e' },
      { type: 'inputIgnored', at: t(0), why: 'nothing in it' },
    ];
    expect(given(...quiet)).toEqual(new Changes());
  });

  it('refuses a type it does not know', () => {
    expect(() => given({ type: 'fromTheFuture' } as unknown as Event)).toThrow('there is no event of type');
  });
});
