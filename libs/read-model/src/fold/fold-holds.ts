// What the watcher says of its own work, as rows for operators.
import type { LogRecord, PartitionEntry, WatcherEvent } from '#event-log';
import { formatInstant } from '#expectations';
import type { HoldRow } from '../tables/hold.entity.ts';
import type { Changes, Origin } from './changes.ts';
import { foldDispatchAct } from './fold-dispatch.ts';
import { foldTelling } from './fold-telling.ts';
import { pauseHashOf, pauseRow } from './fold-pause.ts';

/** Where an event of the watcher stands: also in which partition, and of which inbox record it is an outcome. */
export interface WatcherOrigin extends Origin {
  readonly partition: number;
  readonly inboxOffset: number;
}

/** Adds to `changes` what the event changes. */
export function foldWatcherEvent(changes: Changes, origin: WatcherOrigin, event: WatcherEvent): void {
  const { tenant, partition, inboxOffset } = origin;
  switch (event.type) {
    case 'inputParked':
      changes.parkedInputs.push({ partition, inboxOffset, tenant, cause: event.cause, parkedAt: event.at });
      return;
    case 'tenantHeld':
      changes.holds.push(heldRow(origin, event.cause, event.at));
      return;
    case 'tenantReleased':
      changes.release({ partition, tenant, inboxOffset: event.heldOffset }, event.at, event.by);
      return;
    case 'tenantReleaseRefused':
    case 'reminderRecorded':
      return;
    case 'dispatchPaused':
      changes.pause(pauseRow(origin, event));
      return;
    case 'dispatchResumed':
      changes.endPause(pauseHashOf(tenant, event.pauseId), event.at, event.by);
      return;
    case 'dispatchRetried':
    case 'dispatchDiscarded':
      foldDispatchAct(changes, origin, event);
      return;
    case 'refusalTellingEnded':
      foldTelling(changes, origin, event);
  }
}

/** Likewise for a record of the partition; most change nothing. */
export function foldPartitionEntry(
  changes: Changes,
  partition: number,
  record: LogRecord,
  entry: PartitionEntry,
): void {
  const { offset: ledgerOffset, appendedAt } = record;
  if (entry.type === 'partitionHeld') {
    const origin = { partition, ledgerOffset, eventIndex: 0, inboxOffset: entry.offset, tenant: null };
    const cause = `the input is stamped ${entry.stampedAt}, and it was ${entry.clockAt}: the log's clock was ahead`;
    changes.holds.push(heldRow(origin, cause, entry.clockAt));
  }
  if (entry.type === 'partitionReleased') {
    const of = { partition, tenant: null, inboxOffset: entry.offset };
    changes.release(of, formatInstant(appendedAt), entry.by);
  }
}

function heldRow(
  origin: Pick<HoldRow, 'partition' | 'ledgerOffset' | 'eventIndex' | 'inboxOffset' | 'tenant'>,
  cause: string,
  heldAt: string,
): HoldRow {
  const { partition, ledgerOffset, eventIndex, inboxOffset, tenant } = origin;
  const where = { partition, ledgerOffset, eventIndex, inboxOffset, tenant };
  return { ...where, cause, heldAt, releasedAt: null, releasedBy: null };
}
