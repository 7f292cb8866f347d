// A short record with every kind of outcome in it, for tests of what reads it.
import type { Event } from '#expectations';
import {
  dispatchAcknowledged,
  dispatchAttempted,
  expectationLapsed,
  expectationReanchored,
  expectationRecorded,
  expectationSatisfied,
  expectationSuspended,
  expectationWithdrawn,
  factRecorded,
  t,
} from './events.ts';

/** An id with what paths, patterns and markup trip over. */
export const oddId = 'ship/ment 100%\\?#é';

/**
 * Of the agent `booking` on the shipment S1: `full` lapsed, re-anchored and satisfied late; `sooner` stalled and
 * suspended; `gone` superseded; `stuck` suspended past its horizon; `later` open, of the agent `other`; and one whose
 * agent, id and subject are `oddId`.
 */
export const readingStory: readonly (readonly Event[])[] = [
  [
    expectationRecorded({
      expectationId: 'full',
      lineage: 1,
      warnings: ['after_unknown'],
      content: {
        grace: 'PT2H',
        horizon: t(500),
        anchor: { expectationId: 'e0', offset: 'PT1M' },
        after: ['e0'],
        supersedes: 'old',
        extra: { kept: 1 },
      },
    }),
  ],
  [expectationSuspended({ expectationId: 'full', at: t(5) })],
  [expectationReanchored({ expectationId: 'full', at: t(10), dueAt: t(70) })],
  [expectationLapsed({ expectationId: 'full', at: t(80), block: { dueAt: t(70) } })],
  [dispatchAttempted({ expectationId: 'full' })],
  [dispatchAcknowledged({ expectationId: 'full', taskId: 'lapse-task' })],
  [
    factRecorded({ at: t(90), factNumber: 1 }),
    expectationSatisfied({ expectationId: 'full', at: t(90), late: true, reportedLate: true, factNumber: 1 }),
  ],
  [
    expectationRecorded({ expectationId: 'later', dueAt: t(900), agentId: 'other' }),
    expectationRecorded({
      expectationId: 'sooner',
      dueAt: t(100),
      content: { kind: 'shipment.arrival', expects: 'Ärger 100%_ at DOH' },
    }),
  ],
  [
    expectationLapsed({ expectationId: 'sooner', at: t(101), block: { lapse: 'stalled' } }),
    expectationSuspended({ expectationId: 'sooner', at: t(101) }),
  ],
  [
    expectationRecorded({ expectationId: 'gone' }),
    expectationWithdrawn({
      expectationId: 'gone',
      at: t(110),
      withdrawn: 'superseded',
      supersededBy: 'later',
      reason: 'more time',
    }),
  ],
  [
    expectationRecorded({
      expectationId: oddId,
      agentId: oddId,
      dueAt: t(950),
      content: { subject: { type: oddId, id: oddId } },
    }),
  ],
  [
    expectationRecorded({ expectationId: 'stuck', dueAt: t(960), content: { horizon: t(100) } }),
    expectationSuspended({ expectationId: 'stuck', at: t(120) }),
  ],
];
