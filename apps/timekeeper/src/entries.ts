// An input's output as ledger records: a run of events of one tenant each, none larger than one transaction should be.
import type { Event } from '#expectations';
import type { LedgerEntry } from '#event-log';

export interface TenantEvents {
  readonly tenant: string;
  readonly events: readonly Event[];
}

/** At most so many events a record. */
export const EVENTS_AN_ENTRY = 2_000;

/** Cuts an output into records; the last one says so. */
export function entriesOf(output: readonly TenantEvents[], at: string, offset: number): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  let n = 0;
  for (const { tenant, events } of output) {
    for (let from = 0; from < events.length; from += EVENTS_AN_ENTRY) {
      const piece =
        from === 0 && events.length <= EVENTS_AN_ENTRY ? events : events.slice(from, from + EVENTS_AN_ENTRY);
      entries.push({ v: 1, tenant, at, offset, n, last: false, events: piece });
      n += piece.length;
    }
  }
  const last = entries.pop();
  if (last !== undefined) entries.push({ ...last, last: true });
  return entries;
}
