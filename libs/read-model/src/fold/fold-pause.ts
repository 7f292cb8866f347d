// A pause of dispatch, folded.
import type { DispatchPaused } from '#event-log';
import { identityHash } from '../stored-text.ts';
import type { PauseRow } from '../tables/pause.entity.ts';
import type { Origin } from './changes.ts';

/** Of a pause among all tenants. */
export function pauseHashOf(tenant: string, pauseId: string): string {
  return identityHash(tenant, 'pause', pauseId);
}

export function pauseRow({ tenant, ledgerOffset, eventIndex }: Origin, event: DispatchPaused): PauseRow {
  const { pauseId, scope, reason, from, until, by, at } = event;
  const { agentId, kind, subject } = scope;
  return {
    pauseHash: pauseHashOf(tenant, pauseId),
    ...{ tenant, ledgerOffset, eventIndex, pauseId },
    agentId: agentId ?? null,
    kind: kind ?? null,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    subjectHash: subject === undefined ? null : identityHash(tenant, subject.type, subject.id),
    ...{ reason, pausedBy: by, pausedAt: at },
    fromAt: from ?? at,
    isFromGiven: from !== undefined,
    untilAt: until,
    endedAt: null,
    endedBy: null,
  };
}
