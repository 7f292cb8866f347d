// The events of an expectation's own life, folded.
import { parseInstant } from '#expectations';
import type {
  ExpectationRecorded,
  ExpectationReanchored,
  ExpectationReleased,
  ExpectationSatisfied,
  ExpectationSuspended,
  ExpectationWithdrawn,
  InstantText,
  Json,
} from '#expectations';
import { instantText } from '../columns.ts';
import { identityHash } from '../stored-text.ts';
import type { ExpectationRow } from '../tables/expectation.entity.ts';
import { awaitedBy } from './awaited-by.ts';
import { type Changes, expectationHashOf, type Origin } from './changes.ts';

type ExpectationEvent =
  | ExpectationRecorded
  | ExpectationSuspended
  | ExpectationReleased
  | ExpectationReanchored
  | ExpectationSatisfied
  | ExpectationWithdrawn;

export function foldExpectation(changes: Changes, origin: Origin, event: ExpectationEvent): void {
  const expectationHash = expectationHashOf(origin.tenant, event);
  if (event.type === 'expectationRecorded') {
    const row = recordedRow(expectationHash, origin, event);
    changes.record(row);
    for (const awaited of awaitedBy(row)) changes.awaitTask(awaited, row);
    return;
  }
  const row = changes.expectation(expectationHash);
  switch (event.type) {
    case 'expectationSuspended':
      row.suspended = true;
      return;
    case 'expectationReleased':
      row.suspended = false;
      return;
    case 'expectationReanchored':
      row.suspended = false;
      row.dueAt = event.dueAt;
      row.reanchoredAt = event.at;
      return;
    case 'expectationSatisfied':
      satisfy(row, event);
      if (event.factNumber !== undefined) {
        const { agentId, expectationId } = event;
        changes.satisfiedBy(origin.tenant, event.factNumber).push({ agentId, expectationId });
      }
      return;
    case 'expectationWithdrawn':
      withdraw(row, event);
  }
}

function satisfy(row: Partial<ExpectationRow>, event: ExpectationSatisfied): void {
  row.status = 'satisfied';
  row.suspended = false;
  row.satisfiedAt = event.satisfiedAt;
  row.observedAt = event.observedAt;
  row.source = event.source;
  row.late = event.late;
  row.reportedLate = event.reportedLate;
  row.how = event.how;
  row.factNumber = event.factNumber ?? null;
}

function withdraw(row: Partial<ExpectationRow>, event: ExpectationWithdrawn): void {
  row.status = 'withdrawn';
  row.suspended = false;
  row.withdrawn = event.withdrawn;
  row.withdrawnAt = event.at;
  row.reason = event.reason ?? null;
  row.supersededBy = event.supersededBy ?? null;
}

function recordedRow(expectationHash: string, origin: Origin, event: ExpectationRecorded): ExpectationRow {
  const { content } = event;
  const subject = objectIn(content, 'subject');
  const subjectType = textIn(subject, 'type');
  const subjectId = textIn(subject, 'id');
  return {
    expectationHash,
    occurrence: 0,
    ...origin,
    agentId: event.agentId,
    expectationId: event.expectationId,
    kind: textIn(content, 'kind'),
    subjectType,
    subjectId,
    subjectHash: identityHash(origin.tenant, subjectType, subjectId),
    expects: textIn(content, 'expects'),
    factKey: textIn(objectIn(content, 'satisfiedBy'), 'factKey'),
    basis: textIn(content, 'basis'),
    grace: content['grace'] === undefined ? 'PT0S' : textIn(content, 'grace'),
    horizon: content['horizon'] === undefined ? null : canonical(textIn(content, 'horizon')),
    anchor: content['anchor'] === undefined ? null : anchorIn(content),
    after: content['after'] === undefined ? [] : (content['after'] as string[]),
    supersedes: content['supersedes'] === undefined ? null : textIn(content, 'supersedes'),
    lineage: event.lineage,
    question: event.question,
    warnings: event.warnings,
    taskId: event.taskId,
    contextId: event.contextId,
    raised: content,
    recordedAt: event.at,
    projectedDueAt: event.projectedDueAt,
    dueAt: event.dueAt,
    ...untouched,
  };
}

/** What only later events set. */
const untouched = {
  reanchoredAt: null,
  suspended: false,
  status: 'open',
  satisfiedAt: null,
  observedAt: null,
  source: null,
  late: null,
  reportedLate: null,
  how: null,
  factNumber: null,
  withdrawn: null,
  withdrawnAt: null,
  reason: null,
  supersededBy: null,
} as const;

function anchorIn(content: ExpectationRecorded['content']): { expectationId: string; offset: string } {
  const anchor = objectIn(content, 'anchor');
  return { expectationId: textIn(anchor, 'expectationId'), offset: textIn(anchor, 'offset') };
}

type Content = { readonly [key: string]: Json };

function textIn(content: Content, field: string): string {
  const value = content[field];
  if (typeof value !== 'string') throw new TypeError(`${field} of a recorded expectation must be a string`);
  return value;
}

function objectIn(content: Content, field: string): Content {
  const value = content[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${field} of a recorded expectation must be an object`);
  }
  return value as Content;
}

/** Raised instants may be in any RFC 3339 form; the tables hold one. */
function canonical(raised: string): InstantText {
  return instantText(new Date(parseInstant(raised)));
}
