// What an operator asks when pausing dispatch, checked.
import type { DispatchScope } from '#event-log';
import { formatInstant, parseInstant } from '#expectations';
import type { PauseRow } from '#read-model';
import { invalidField, readFields, readText } from '#runtime';

const maxReasonLength = 1_000;
const mostDays = 90;
const dayMs = 86_400_000;

export interface PauseRequest {
  readonly pauseId: string;
  readonly scope: DispatchScope;
  readonly reason: string;
  readonly from?: string;
  readonly until: string;
}

/** Throws `Problem` naming the field. Whether its time is one that may be asked for now is another question. */
export function readPauseRequest(body: unknown): PauseRequest {
  const fields = readFields(body, '', ['pauseId', 'scope', 'reason', 'from', 'until']);
  return {
    pauseId: readText(fields['pauseId'], 'pauseId'),
    scope: fields['scope'] === undefined ? {} : readScope(fields['scope']),
    reason: readText(fields['reason'], 'reason', maxReasonLength),
    ...(fields['from'] !== undefined && { from: readInstant(fields['from'], 'from') }),
    until: readInstant(fields['until'], 'until'),
  };
}

/** Throws `Problem` naming the field where a pause may not begin now as it is asked for. */
export function assertTime({ from, until }: PauseRequest, nowMs: number): void {
  const untilMs = parseInstant(until);
  const fromMs = from === undefined ? nowMs : parseInstant(from);
  if (untilMs <= nowMs) throw invalidField('until', 'must be in the future');
  if (untilMs <= fromMs) throw invalidField('until', 'must be after from');
  if (untilMs - fromMs > mostDays * dayMs) throw invalidField('until', `must be at most ${mostDays} days after from`);
  if (fromMs - nowMs > mostDays * dayMs) throw invalidField('from', `must be at most ${mostDays} days ahead`);
}

/** Whether what is asked for is the pause that is there. */
export function isSame(row: PauseRow, { scope, reason, from, until }: PauseRequest): boolean {
  const { agentId = null, kind = null, subject } = scope;
  return (
    row.agentId === agentId &&
    row.kind === kind &&
    row.subjectType === (subject?.type ?? null) &&
    row.subjectId === (subject?.id ?? null) &&
    row.reason === reason &&
    (row.isFromGiven ? row.fromAt : undefined) === from &&
    row.untilAt === until
  );
}

function readScope(value: unknown): DispatchScope {
  const { agentId, kind, subject } = readFields(value, 'scope', ['agentId', 'kind', 'subject']);
  return {
    ...(agentId !== undefined && { agentId: readText(agentId, 'scope.agentId') }),
    ...(kind !== undefined && { kind: readText(kind, 'scope.kind') }),
    ...(subject !== undefined && { subject: readSubject(subject) }),
  };
}

function readSubject(value: unknown): NonNullable<DispatchScope['subject']> {
  const { type, id } = readFields(value, 'scope.subject', ['type', 'id']);
  return { type: readText(type, 'scope.subject.type'), id: readText(id, 'scope.subject.id') };
}

/** In UTC, exact to the millisecond. */
function readInstant(value: unknown, path: string): string {
  const instant = parseInstant(readText(value, path));
  if (Number.isNaN(instant)) throw invalidField(path, 'must be an RFC 3339 instant with an offset');
  return formatInstant(instant);
}
