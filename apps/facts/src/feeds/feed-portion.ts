// What is reported of a feed at once: as many records as come together, up to bounds. One record is one report, however
// many facts it has (semantics, *Facts*); never two, and never a part of one.
import type { FeedRecord, ParkedRecord } from '#event-log';
import { type FactsReportedInput, type PlausibilityWindow, readFedFacts } from '#protocol';
import type { ImplausibleFact } from '#writes';
import { readFedRecord } from './fed-record.ts';

const MAX_RECORDS = 500;
const MAX_BYTES = 1_000_000;

export class FeedPortion {
  readonly inputs: FactsReportedInput[] = [];
  readonly implausible: ImplausibleFact[] = [];
  readonly parked: ParkedRecord[] = [];
  /** Which record each of `implausible` is of. */
  readonly offsets = new Map<ImplausibleFact, number>();
  private recordCount = 0;
  private bytes = 0;

  constructor(private readonly reporter: string) {}

  get isFull(): boolean {
    return this.recordCount >= MAX_RECORDS || this.bytes >= MAX_BYTES;
  }

  add(record: FeedRecord, window: PlausibilityWindow): void {
    this.recordCount += 1;
    this.bytes += record.value?.byteLength ?? 0;
    const read = readFedRecord(record);
    const { offset, unreadable } = record;
    if ('reason' in read) {
      this.parked.push({ offset, ...(unreadable && { lastOffset: unreadable.lastOffset }), ...read });
      return;
    }
    const { input, implausible } = readFedFacts(read.facts, this.reporter, window);
    if (input !== undefined) this.inputs.push(input);
    for (const fact of implausible) {
      this.implausible.push(fact);
      this.offsets.set(fact, offset);
    }
  }

  /** The quarantine has no room for these: the topic alone still has them. */
  parkFacts(facts: ReadonlySet<ImplausibleFact>): void {
    const offsets = new Set([...facts].flatMap((fact) => this.offsets.get(fact) ?? []));
    const message = 'facts of it are not plausible, and the quarantine is full';
    for (const offset of offsets) this.parked.push({ offset, reason: 'quarantine_full', message });
  }
}
