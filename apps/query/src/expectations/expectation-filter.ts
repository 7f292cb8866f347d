// Which expectations are asked for, and in which order.
import type { LapseKind } from '#expectations';
import type { ExpectationStatus } from '#read-model';
import { invalidField, QueryParameters } from '#runtime';

export const lapseKinds = ['overdue', 'skipped', 'stalled'] as const satisfies readonly LapseKind[];

export interface ExpectationFilter {
  readonly status: ExpectationStatus | undefined;
  /** Those that have lapsed so; `any` in whatever way. */
  readonly lapse: LapseKind | 'any' | undefined;
  readonly kind: string | undefined;
  readonly subjectType: string | undefined;
  readonly subjectId: string | undefined;
  readonly agentId: string | undefined;
  readonly expectationId: string | undefined;
  /** The current due time: from, inclusive; to, exclusive. */
  readonly dueFrom: Date | undefined;
  readonly dueTo: Date | undefined;
  readonly suspended: boolean | undefined;
  readonly nothingWillLapse: boolean | undefined;
  /** Its due time has passed and its grace has not, at the log's last instant. */
  readonly grace: boolean | undefined;
  /** It is due at least so much later than was projected. */
  readonly slipMs: number | undefined;
  /** Stands in ids, kind, key or what is expected, whatever its case. */
  readonly text: string | undefined;
  /** `recorded`: as recorded, which never changes. `due`: soonest due first, of what is open. */
  readonly order: 'recorded' | 'due';
  readonly limit: number;
  readonly cursor: readonly number[] | undefined;
}

const known = [
  'status',
  'lapse',
  'kind',
  'subjectType',
  'subjectId',
  'agentId',
  'expectationId',
  'dueFrom',
  'dueTo',
  'suspended',
  'nothingWillLapse',
  'grace',
  'slip',
  'text',
  'order',
];

/** Throws `Problem` (`invalid-field`) naming the parameter. */
export function readExpectationFilter(query: Readonly<Record<string, unknown>>): ExpectationFilter {
  const parameters = new QueryParameters(query, known);
  const status = parameters.word('status', ['open', 'satisfied', 'withdrawn']);
  const order = parameters.word('order', ['recorded', 'due']) ?? 'recorded';
  if (order === 'due' && status !== 'open')
    throw invalidField('order', 'due is an order of what is open: ask with status=open');
  return {
    status,
    lapse: parameters.word('lapse', [...lapseKinds, 'any']),
    kind: parameters.text('kind'),
    subjectType: parameters.text('subjectType'),
    subjectId: parameters.text('subjectId'),
    agentId: parameters.text('agentId'),
    expectationId: parameters.text('expectationId'),
    dueFrom: parameters.instant('dueFrom'),
    dueTo: parameters.instant('dueTo'),
    suspended: parameters.flag('suspended'),
    nothingWillLapse: parameters.flag('nothingWillLapse'),
    grace: parameters.flag('grace'),
    slipMs: parameters.durationMs('slip'),
    text: parameters.text('text'),
    order,
    limit: parameters.limit(),
    cursor: order === 'due' ? dueCursor(parameters) : parameters.cursor(2),
  };
}

/** The latest instant that there is: the end of the year 9999. */
const lastInstantMs = 253_402_300_799_999;

/** A due time before the place in the order. */
function dueCursor(parameters: QueryParameters): readonly number[] | undefined {
  const cursor = parameters.cursor(3);
  if ((cursor?.[0] ?? 0) <= lastInstantMs) return cursor;
  throw invalidField('cursor', 'must be the `next` of a page of the same list');
}
