// The few names scenarios are made of: few, so that expectations share subjects, keys, anchors and tasks.
import type fc from 'fast-check';
import { weighted } from './draw.ts';

export const agentIds: fc.Arbitrary<string> = weighted([86, 'booking'], [14, 'customs']);
export const taskIds: fc.Arbitrary<string> = weighted([60, 't1'], [25, 't2'], [15, 't3']);
export const contextIds: fc.Arbitrary<string> = weighted([80, 'c1'], [20, 'c2']);
export const reporters: fc.Arbitrary<string> = weighted([70, 'feed:1'], [20, 'feed:2'], [10, 'agent:booking']);

export const factKeys: fc.Arbitrary<string> = weighted([34, 'k1'], [26, 'k2'], [22, 'k3'], [18, 'k4'], [6, 'K1']);
export const noiseKeys: fc.Arbitrary<string> = weighted([60, 'noise'], [40, 'gps']);

/** The same id under two types is two subjects; a task is a subject too. */
export const subjects: fc.Arbitrary<{ type: string; id: string }> = weighted(
  [60, { type: 'shipment', id: 's1' }],
  [18, { type: 'shipment', id: 's2' }],
  [8, { type: 'case', id: 's1' }],
  [14, { type: 'task', id: 't1' }],
);

export const kinds: fc.Arbitrary<string> = weighted(
  [50, 'manifest'],
  [30, 'departure'],
  [17, 'answer'],
  [3, 'teleport'],
);

export const states: fc.Arbitrary<unknown> = weighted<unknown>(
  [24, 'TASK_STATE_WORKING'],
  [30, 'TASK_STATE_INPUT_REQUIRED'],
  [12, 'TASK_STATE_AUTH_REQUIRED'],
  [9, 'TASK_STATE_COMPLETED'],
  [6, 'TASK_STATE_CANCELED'],
  [6, 'TASK_STATE_FAILED'],
  [6, 'TASK_STATE_REJECTED'],
  [4, 'TASK_STATE_SUBMITTED'],
  [2, 'somewhere'],
  [1, 7],
);

const plannedIds = [
  ...['e0', 'e1', 'e2', 'e3', 'E3', '\u00e9', 'e\u0301'],
  ...['__proto__', 'e8', 'e9', '\u{1f4e6}', '\uff5e', 'e12', 'e13'],
];

/** The id of the expectation planned at an index; some are easily confused. */
export function plannedId(index: number): string {
  return plannedIds[index] ?? 'unplanned';
}

export const plannedCount = plannedIds.length;

const declaredKinds = [
  { kind: 'manifest', subjectType: 'shipment', describes: 'the manifest', basis: 'observed' },
  { kind: 'departure', subjectType: 'shipment', describes: 'the departure', basis: 'contract' },
  { kind: 'answer', subjectType: 'task', describes: 'an answer', basis: 'declared' },
];

/** What a card may declare under the extension. */
export const cards: fc.Arbitrary<unknown> = weighted<unknown>(
  [70, { keepsTime: false, lapseSkill: 'handle_lapse', kinds: declaredKinds }],
  [15, { keepsTime: true, lapseSkill: 'handle_lapse', kinds: declaredKinds.slice(0, 2) }],
  [10, { keepsTime: false, lapseSkill: 'handle_lapse', kinds: [...declaredKinds.slice(1), null, { kind: '' }] }],
  [3, { keepsTime: false, lapseSkill: 'handle_lapse', kinds: 'all' }],
  [2, null],
);

/** The card that declares everything but the kind nobody declares. */
export const fullCard = { keepsTime: false, lapseSkill: 'handle_lapse', kinds: declaredKinds };
