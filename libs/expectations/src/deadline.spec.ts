// Every boundary at a millisecond before, exactly, and a millisecond after: a deadline has passed strictly.
import {
  artifact,
  configured,
  expectationLapsed,
  expectationRecorded,
  expectationSatisfied,
  expectationWithdrawn,
  factRecorded,
  folded,
  raising,
  reporting,
  statusApplied,
  t,
  tick,
} from '#testing';
import { hasPassed, isLate } from './deadline.ts';
import { decide, nextDeadline } from './decide.ts';
import type { Event } from './event.ts';
import type { Input } from './input.ts';
import { formatInstant } from './instant.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The names of what is decided on one input after these events, each with what matters of it. */
function decided(history: readonly Event[], input: Input): string[] {
  return decide(folded(history), input).map((event) => {
    switch (event.type) {
      case 'expectationLapsed':
        return `${event.lapse.lapse} ${event.expectationId}`;
      case 'expectationSatisfied':
        return `satisfied ${event.expectationId}${event.late ? ' late' : ''}${event.reportedLate ? ' reportedLate' : ''}`;
      case 'expectationWithdrawn':
        return `${event.withdrawn} ${event.expectationId}`;
      case 'expectationRefused':
        return `refused ${event.code}`;
      default:
        return event.type;
    }
  });
}

/** What is decided a millisecond before, at, and a millisecond after so many seconds. */
function around(seconds: number, at: (instant: string) => readonly string[]): string[][] {
  return [-1, 0, 1].map((ms) => [...at(formatInstant(Date.parse(t(seconds)) + ms))]);
}

const e1 = expectationRecorded();
const ticked = (history: readonly Event[]) => (at: string) => decided(history, tick(at));

it('a deadline has passed when it is over, not when it is reached', () => {
  expect([59, 60, 61].map((now) => hasPassed(60, now))).toEqual([false, false, true]);
  expect([59, 60, 61].map((instant) => isLate(instant, 60))).toEqual([false, false, true]);
});

describe('overdue', () => {
  it('without grace, from the due time on', () => {
    expect(around(60, ticked([e1]))).toEqual([[], [], ['overdue e1']]);
  });

  it('with a grace of zero, likewise', () => {
    const graced = expectationRecorded({ content: { grace: 'PT0S' } });
    expect(around(60, ticked([graced]))).toEqual([[], [], ['overdue e1']]);
  });

  it('with grace, from due and grace on', () => {
    const graced = expectationRecorded({ content: { grace: 'PT2H' } });
    expect(around(60 + 2 * HOUR, ticked([graced]))).toEqual([[], [], ['overdue e1']]);
  });

  it('with a grace of a month, by the calendar', () => {
    const graced = expectationRecorded({ content: { grace: 'P1M' } });
    expect(around(60 + 30 * DAY, ticked([graced]))).toEqual([[], [], ['overdue e1']]);
  });

  it('and a fact received exactly then still comes before it', () => {
    const seen = (at: string) => decided([e1], reporting(factRecorded({ at, observedAt: t(50) })));
    expect(around(60, seen)).toEqual([
      ['factRecorded', 'satisfied e1'],
      ['factRecorded', 'satisfied e1'],
      ['overdue e1', 'factRecorded', 'satisfied e1 reportedLate', 'dispatchVoided'],
    ]);
  });

  it('and a fact observed exactly then is not late', () => {
    const seen = (observedAt: string) => decided([e1], reporting(factRecorded({ at: t(70), observedAt })));
    expect(around(60, seen).map((events) => events[2])).toEqual([
      'satisfied e1 reportedLate',
      'satisfied e1 reportedLate',
      'satisfied e1 late reportedLate',
    ]);
  });

  it('is what is recorded when it was due a millisecond ago', () => {
    const recorded = (at: string) => decided([], raising({ ...e1, at }));
    expect(around(60, recorded)).toEqual([
      ['expectationRecorded'],
      ['expectationRecorded'],
      ['expectationRecorded', 'overdue e1'],
    ]);
  });
});

describe('stalled', () => {
  const watched = expectationRecorded({ content: { grace: 'PT9H', horizon: t(100) } });

  it('from the horizon on', () => {
    expect(around(100, ticked([watched]))).toEqual([[], [], ['stalled e1']]);
  });

  it('not when a fact on its subject is received exactly then', () => {
    const seen = (at: string) => decided([watched], reporting(factRecorded({ at, fact: { factKey: 'seen:S1' } })));
    expect(around(100, seen)).toEqual([['factRecorded'], ['factRecorded'], ['stalled e1', 'factRecorded']]);
  });

  it('after a satisfaction later than the horizon, from the next instant on', () => {
    const other = expectationRecorded({
      expectationId: 'e2',
      content: { grace: 'PT9H', satisfiedBy: { factKey: 'x' } },
    });
    const noise = factRecorded({ at: t(90), fact: { factKey: 'seen:S1' } });
    const fact = factRecorded({ at: t(200), factNumber: 2, fact: { factKey: 'x' } });
    const satisfied = expectationSatisfied({ at: t(200), expectationId: 'e2', factKey: 'x', factNumber: 2 });
    expect(around(200, ticked([watched, other, noise, fact, satisfied]))[1]).toEqual([]);
    expect(around(200, ticked([watched, other, noise, fact, satisfied]))[2]).toEqual(['stalled e1']);
  });
});

describe('retirement', () => {
  it('P90D after the latest lapse', () => {
    expect(around(61 + 90 * DAY, ticked([e1, expectationLapsed()]))).toEqual([
      [],
      [],
      ['retired e1', 'dispatchVoided'],
    ]);
  });

  it('P90D after the horizon, where that is later', () => {
    const watched = expectationRecorded({ content: { horizon: t(1_000) } });
    const both = [watched, expectationLapsed(), expectationLapsed({ at: t(1_001), block: { lapse: 'stalled' } })];
    expect(around(1_001 + 90 * DAY, ticked(both)).map((events) => events[0])).toEqual([
      undefined,
      undefined,
      'retired e1',
    ]);
  });

  it('never of what has not lapsed', () => {
    const patient = expectationRecorded({ projectedDueAt: t(9_000 * DAY) });
    expect(decided([patient], tick(t(8_999 * DAY)))).toEqual([]);
  });
});

describe('memory', () => {
  const fact = factRecorded();
  const satisfied = expectationSatisfied({ factKey: 'departed:S1', factNumber: 1 });
  const again = artifact({ expectations: [{ ...e1.content, expects: 'something else' }] });

  it('the early-fact window is inclusive', () => {
    const recorded = (at: string) => decided([fact], raising(expectationRecorded({ at, projectedDueAt: t(9 * HOUR) })));
    expect(around(30 + HOUR, recorded)).toEqual([
      ['expectationRecorded', 'satisfied e1'],
      ['expectationRecorded', 'satisfied e1'],
      ['expectationRecorded'],
    ]);
  });

  it('an id is used for P90D after it was closed, that instant included', () => {
    const raised = (at: string) => decided([e1, fact, satisfied], { ...again, at });
    expect(around(30 + 90 * DAY, raised)).toEqual([
      ['refused id_reused'],
      ['refused id_reused'],
      ['expectationRecorded', 'overdue e1'],
    ]);
  });

  it('a fact that satisfied nothing is the same for P7D, that instant included', () => {
    const repeated = (at: string) => decided([fact], { ...reporting(fact), at });
    expect(around(30 + 7 * DAY, repeated)).toEqual([['factRepeated'], ['factRepeated'], ['factRecorded']]);
  });

  it('a fact that satisfied something is the same as long as that is remembered', () => {
    const repeated = (at: string) => decided([e1, fact, satisfied], { ...reporting(fact), at });
    expect(around(30 + 90 * DAY, repeated)).toEqual([['factRepeated'], ['factRepeated'], ['factRecorded']]);
  });

  it('the end of a task is known for P90D, that instant included', () => {
    const canceled = statusApplied({ at: t(30), state: 'TASK_STATE_CANCELED' });
    const due = { projectedDueAt: t(400 * DAY) };
    const raised = (at: string) => decided([canceled], raising(expectationRecorded({ at, ...due })));
    expect(around(30 + 90 * DAY, raised)).toEqual([
      ['expectationRecorded', 'task_canceled e1'],
      ['expectationRecorded', 'task_canceled e1'],
      ['expectationRecorded'],
    ]);
  });

  it('what is withdrawn is remembered by its own instant', () => {
    const withdrawn = expectationWithdrawn();
    const raised = (at: string) =>
      decided([configured({ settings: { closedMemory: 'P1M' } }), e1, withdrawn], { ...again, at });
    expect(around(30 + 30 * DAY, raised).map((events) => events[0])).toEqual([
      'refused id_reused',
      'refused id_reused',
      'expectationRecorded',
    ]);
  });
});

describe('the next deadline', () => {
  it('is the instant until which nothing fires by itself', () => {
    const watched = expectationRecorded({ content: { grace: 'PT1M', horizon: t(90) } });
    expect(nextDeadline(folded([watched]))).toBe(Date.parse(t(90)));
    expect(nextDeadline(folded([watched, factRecorded({ fact: { factKey: 'seen:S1' } })]))).toBe(Date.parse(t(120)));
    expect(nextDeadline(folded([e1, expectationLapsed()]))).toBe(Date.parse(t(61 + 90 * DAY)));
  });

  it('is none where nothing is open', () => {
    expect(nextDeadline(folded([]))).toBeUndefined();
    expect(nextDeadline(folded([e1, expectationWithdrawn()]))).toBeUndefined();
  });
});
