// A recorded inbox decided anew, with the parks, holds and releases that its ledger tells of: it must come to the same
// ledger. What checks that nothing but the log has a part in a decision.
import {
  decodeLedger,
  isPositioned,
  isWatcherEvent,
  type LedgerEntry,
  type LogRecord,
  type PartitionReleased,
} from '#event-log';
import type { Core } from '../../apps/timekeeper/src/core.ts';
import { cut, cutAsync } from '../../apps/timekeeper/src/decided-run.ts';
import { PartitionDecider } from '../../apps/timekeeper/src/partition-decider.ts';
import { askedRelease, releaseTenant } from '../../apps/timekeeper/src/tenant-release.ts';
import { Verdict } from '../../apps/timekeeper/src/verdict.ts';

/** The entries of tenants that come of the inbox, from its beginning, in order. */
export async function* replay(
  inbox: readonly LogRecord[],
  ledger: readonly LogRecord[],
  core?: Core,
): AsyncGenerator<LedgerEntry> {
  const decider = new PartitionDecider(undefined, core);
  const told = readTold(ledger);
  async function* readInbox(from: number, before: number): AsyncGenerator<LogRecord> {
    for (const record of inbox) if (record.offset >= from && record.offset < before) yield record;
  }
  for (const record of inbox) {
    const { offset } = record;
    for (const release of told.releases) if (release.offset === offset) decider.place.release(release);
    const asked = askedRelease(decider, record);
    const verdict = told.verdicts.get(offset);
    const judged = verdict && { verdict, begunOf: (tenant: string) => told.begunOf(offset, tenant) };
    if (asked === undefined) yield* cut(offset, decider.decide(record, judged));
    else yield* cutAsync(offset, releaseTenant(decider, record, asked, readInbox, judged));
  }
}

interface Told {
  readonly releases: readonly PartitionReleased[];
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** What the output of an input has of a tenant before it was held. */
  readonly begunOf: (offset: number, tenant: string) => LedgerEntry['events'];
}

function readTold(ledger: readonly LogRecord[]): Told {
  const entries = ledger.map(({ value }) => decodeLedger(value));
  const verdicts = new Map<number, Verdict>();
  const begun = new Map<string, LedgerEntry['events']>();
  for (const entry of entries) {
    if (!isPositioned(entry) || 'type' in entry) continue;
    const { offset, tenant } = entry;
    const verdict = verdicts.get(offset) ?? new Verdict(offset);
    const place = `${offset} ${tenant}`;
    for (const event of entry.events) {
      if (!isWatcherEvent(event)) begun.set(place, [...(begun.get(place) ?? []), event]);
      else if (event.type === 'inputParked') verdict.parked = event.cause;
      else if (event.type === 'tenantHeld') verdict.held.set(tenant, event.cause);
    }
    if (verdict.parked !== undefined || verdict.held.size > 0) verdicts.set(offset, verdict);
  }
  return {
    verdicts,
    releases: entries.filter((entry) => 'type' in entry && entry.type === 'partitionReleased'),
    begunOf: (offset, tenant) => begun.get(`${offset} ${tenant}`) ?? [],
  };
}
