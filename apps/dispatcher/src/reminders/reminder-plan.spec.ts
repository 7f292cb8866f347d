import { describe, expect, it } from '@jest/globals';
import type { LedgerEvent } from '#event-log';
import type { LapseBlock } from '#expectations';
import type { ReminderWish } from '#runtime';
import { expectationKeyOf, taskKeyOf } from '../outbox/lapse-key.ts';
import { type PlanPorts, planOf, type ReminderPlan } from './reminder-plan.ts';

const at = '2026-05-01T10:00:00Z';
const dueAt = '2026-05-01T12:00:00Z';
const dueAtMs = Date.parse(dueAt);
const hourMs = 3_600_000;
const both: ReminderWish = { beforeDueMs: hourMs, lapsed: true };
const ofE1 = { at, agentId: 'booking', expectationId: 'e1' };
const key = expectationKeyOf('acme', 'booking', 'e1');
const taskKey = taskKeyOf('acme', 'booking', 't1');
const nothing: ReminderPlan = { closed: [], overTasks: [], opened: [], moved: [], lapsed: [] };

const recorded = (more: object = {}): LedgerEvent => ({
  ...{ type: 'expectationRecorded', ...ofE1, taskId: 't1', contextId: 'c1', lineage: 0, question: false, warnings: [] },
  content: { kind: 'departure', subject: { type: 'flight', id: 'EK203' }, expects: 'EK203 departs' },
  ...{ projectedDueAt: dueAt, dueAt, ...more },
});
const lapse: LapseBlock = {
  ...{ expectationId: 'e1', kind: 'departure', subject: { type: 'flight', id: 'EK203' }, expects: 'EK203 departs' },
  ...{ lapse: 'overdue', projectedDueAt: dueAt, dueAt, lapsedAt: '2026-05-01T12:00:01Z', lineage: 0 },
};
const lapsed = (more: object = {}): LedgerEvent => ({
  ...{ type: 'expectationLapsed', ...ofE1, taskId: 't1', contextId: 'c1', messageId: 'm', lapse, selfTimed: false },
  ...more,
});
const over = (state = 'TASK_STATE_COMPLETED'): LedgerEvent => ({
  ...{ type: 'statusApplied', at, agentId: 'booking', taskId: 't1', contextId: 'c1', state },
});
const suspended: LedgerEvent = { type: 'expectationSuspended', ...ofE1, behind: 'e0' };
const released: LedgerEvent = { type: 'expectationReleased', ...ofE1 };
const satisfied: LedgerEvent = {
  ...{ type: 'expectationSatisfied', ...ofE1, satisfiedAt: at, observedAt: at, source: 's' },
  ...{ late: false, reportedLate: false, how: 'fact' },
};
const reanchored = (to: string): LedgerEvent => ({
  ...{ type: 'expectationReanchored', ...ofE1, anchorId: 'e0', dueAt: to },
});

function given(events: readonly LedgerEvent[], wish: ReminderWish | undefined = both, ports: Partial<PlanPorts> = {}) {
  const told = events.map((event, eventIndex) => ({ offset: 7, eventIndex, tenant: 'acme', event }));
  return planOf(told, { wishOf: () => wish, isKnownOver: () => false, ...ports });
}

const opened = (tellAtMs: number | undefined, more: object = {}) => ({
  ...{ tenant: 'acme', expectationKey: key, taskKey, kind: 'departure', subject: { type: 'flight', id: 'EK203' } },
  expectation: {
    ...{ agentId: 'booking', expectationId: 'e1', taskId: 't1', recordedAt: [7, 0], expects: 'EK203 departs' },
    subject: { type: 'flight', id: 'EK203' },
  },
  ...{ dueAtMs, projectedDueAtMs: dueAtMs, tellAtMs, ...more },
});

describe('what is recorded', () => {
  it('is told of as long before it is due as the agent asked', () => {
    expect(given([recorded()])).toEqual({ ...nothing, opened: [opened(dueAtMs - hourMs)] });
    expect(given([recorded()], { ...both, beforeDueMs: 60_000 }).opened).toEqual([opened(dueAtMs - 60_000)]);
  });

  it('is not told to be due soon where no more than the lead is left, to the millisecond', () => {
    const soon = (ms: number) => new Date(Date.parse(at) + hourMs + ms).toISOString();
    const tellAt = (ms: number) => given([recorded({ dueAt: soon(ms) })]).opened.map(({ tellAtMs }) => tellAtMs);
    expect([tellAt(-1), tellAt(0), tellAt(1)]).toEqual([[undefined], [undefined], [Date.parse(at) + 1]]);
  });

  it('is kept where only its lapse is told, and where nothing is, not at all', () => {
    expect(given([recorded()], { beforeDueMs: undefined, lapsed: true }).opened).toEqual([opened(undefined)]);
    expect(given([recorded()], { beforeDueMs: undefined, lapsed: false })).toEqual(nothing);
    expect(given([recorded()], undefined, { wishOf: () => undefined })).toEqual(nothing);
  });

  it('in a task that is over is not told of, whenever that was read', () => {
    expect(given([over(), recorded()])).toEqual({ ...nothing, overTasks: [taskKey] });
    expect(given([recorded(), over()])).toEqual({ ...nothing, overTasks: [taskKey] });
    expect(given([recorded()], both, { isKnownOver: (each) => each === taskKey })).toEqual(nothing);
    expect(given([over('TASK_STATE_INPUT_REQUIRED'), recorded()]).opened).toHaveLength(1);
  });

  it('is not told of where it is a question: its task rests until that is answered', () => {
    expect(given([recorded({ question: true })])).toEqual(nothing);
  });

  it('is told of in texts that are cut, each whole in its characters', () => {
    const content = { kind: 'k', subject: { type: 't', id: 'i'.repeat(1_000) }, expects: `${'x'.repeat(999)}😀😀` };
    const [one] = given([recorded({ content })]).opened;
    expect(one?.expectation.expects).toBe(`${'x'.repeat(999)}…`);
    expect(one?.expectation.subject.id).toHaveLength(201);
    expect(one?.subject.id).toHaveLength(1_000);
  });
});

describe('what is due at another time', () => {
  const later = '2026-05-02T12:00:00Z';

  it('is told of before that', () => {
    expect(given([reanchored(later)]).moved).toEqual([
      { expectationKey: key, dueAtMs: Date.parse(later), beforeDueMs: hourMs, atMs: Date.parse(at) },
    ]);
    const moved = { dueAtMs: Date.parse(later) };
    expect(given([recorded(), reanchored(later)])).toEqual({
      ...nothing,
      opened: [opened(Date.parse(later) - hourMs, moved)],
    });
  });

  it('is told of at once where less than the lead is left, and not where it is past', () => {
    const soon = '2026-05-01T10:30:00Z';
    const [one] = given([recorded(), reanchored(soon)]).opened;
    expect(one?.tellAtMs).toBe(Date.parse('2026-05-01T09:30:00Z'));
    expect(given([recorded(), reanchored(at)]).opened).toEqual([opened(undefined, { dueAtMs: Date.parse(at) })]);
  });

  it('is not told of while it waits for another, and again when its own time counts', () => {
    expect(given([recorded(), suspended]).opened).toEqual([opened(undefined)]);
    expect(given([recorded(), suspended, released]).opened).toEqual([opened(dueAtMs - hourMs)]);
    const [waits] = given([suspended]).moved;
    expect(waits).toEqual({ expectationKey: key, dueAtMs: undefined, beforeDueMs: undefined, atMs: Date.parse(at) });
    expect(given([suspended, released]).moved).toEqual([{ ...waits, beforeDueMs: hourMs }]);
  });
});

describe('what is closed', () => {
  it('is told of no more, whatever came before it', () => {
    const closed = { ...nothing, closed: [key] };
    expect(given([satisfied])).toEqual(closed);
    expect(given([recorded(), reanchored(dueAt), lapsed(), satisfied])).toEqual(closed);
    expect(given([{ type: 'expectationWithdrawn', ...ofE1, withdrawn: 'superseded' }])).toEqual(closed);
  });

  it('and recorded anew is told of anew', () => {
    const plan = given([satisfied, recorded()]);
    expect([plan.closed, plan.opened.length]).toEqual([[key], 1]);
  });
});

describe('what has lapsed', () => {
  it('is told', () => {
    expect(given([lapsed()])).toEqual({ ...nothing, lapsed: [{ expectationKey: key, lapse, isTold: true }] });
  });

  it('is not told to who asked for something else, or keeps its own time', () => {
    const isTold = (event: LedgerEvent, wish: ReminderWish) => given([event], wish).lapsed.map((each) => each.isTold);
    expect(isTold(lapsed(), { ...both, lapsed: false })).toEqual([false]);
    expect(isTold(lapsed({ selfTimed: true }), both)).toEqual([false]);
  });
});
