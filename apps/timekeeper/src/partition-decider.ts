// One partition decided: its inbox's records in order, each with the instant the log gave it. Pure; time is an input.
import { formatInstant, settle, StateFaultError } from '#expectations';
import { isWatcherEvent, type LedgerEntry, type LogRecord, type WatcherEvent } from '#event-log';
import { core as realCore, type Core } from './core.ts';
import { DEADLINES_A_RUN, type DecidedRun } from './decided-run.ts';
import { DeciderFaultError, messageOf } from './decider-fault-error.ts';
import { PartitionPlace, type PlaceParts } from './partition-place.ts';
import { tellState } from './told.ts';
import { Tenants } from './tenants.ts';
import type { Verdict } from './verdict.ts';

/** What was judged of the input that is decided, as the core has thrown on it before. */
export interface Judged {
  readonly verdict: Verdict;
  /** What the ledger already has of a tenant in its output. */
  readonly begunOf: (tenant: string) => LedgerEntry['events'];
}

export class PartitionDecider {
  readonly tenants = new Tenants();
  readonly place: PartitionPlace;

  constructor(
    place?: PlaceParts,
    readonly core: Core = realCore,
  ) {
    this.place = new PartitionPlace(place);
  }

  /**
   * Decides the next inbox record: its output, in runs as they are decided; none where a tick decided nothing, or where
   * its tenant is held. The runs must be taken to the end. Throws `DeciderFaultError` where the core throws; the decider
   * is then no longer to be used.
   */
  *decide(record: LogRecord, judged?: Judged): Generator<DecidedRun> {
    const at = formatInstant(this.place.take(record));
    yield* this.holdFaulty(at);
    for (const tenant of this.tenants.dueBefore(this.place.nowMs)) {
      if (judged?.verdict.held.has(tenant) === true) yield* this.hold(tenant, at, judged);
      else yield* this.advance(tenant, at);
    }
    const { tenant } = record;
    if (tenant === null || this.tenants.holdOf(tenant) !== undefined) return;
    if (judged?.verdict.held.has(tenant) === true) yield* this.hold(tenant, at, judged);
    else yield this.tell(tenant, record, at, judged?.verdict.parked);
  }

  /** Fires a tenant's deadlines before the partition's time, which is `at`. */
  *advance(tenant: string, at: string): Generator<DecidedRun> {
    try {
      const pieces = this.core.advance(this.tenants.state(tenant), at, DEADLINES_A_RUN);
      for (const events of pieces) yield { tenant, at, events };
    } catch (cause) {
      throw new DeciderFaultError({ offset: this.place.offset, tenant, isOfState: true }, cause);
    }
    this.tenants.changed(tenant);
  }

  private tell(tenant: string, record: LogRecord, at: string, parked: string | undefined): DecidedRun {
    if (parked !== undefined) return { tenant, at, events: [{ type: 'inputParked', at, cause: parked }] };
    try {
      const events = tellState(this.core, this.tenants.state(tenant), record, at);
      this.tenants.changed(tenant);
      return { tenant, at, events };
    } catch (cause) {
      const isOfState = cause instanceof StateFaultError;
      throw new DeciderFaultError({ offset: record.offset, tenant, isOfState }, cause);
    }
  }

  /** A tenant of whom the ledger cannot be folded is held with the first input after the start. */
  private *holdFaulty(at: string): Generator<DecidedRun> {
    for (const [tenant, cause] of this.tenants.faulty) {
      if (this.tenants.holdOf(tenant) === undefined) yield this.holdNow(tenant, at, cause);
    }
  }

  /** What is begun stands, and the hold comes behind it. */
  private *hold(tenant: string, at: string, { verdict, begunOf }: Judged): Generator<DecidedRun> {
    const begun = begunOf(tenant);
    if (begun.length > 0) {
      this.evolve(tenant, begun, true);
      yield { tenant, at, events: begun };
    }
    yield this.holdNow(tenant, at, verdict.held.get(tenant) ?? '');
  }

  private holdNow(tenant: string, at: string, cause: string): DecidedRun {
    const held = { type: 'tenantHeld', at, cause } as const;
    this.evolveOwn(tenant, held);
    return { tenant, at, events: [held] };
  }

  /** Folds one input's whole output, as the ledger has it. */
  fold(entries: readonly LedgerEntry[]): void {
    entries.forEach((entry, index) => {
      const next = entries[index + 1];
      const isLastOfTenant = next?.tenant !== entry.tenant || next.of?.offset !== entry.of?.offset;
      this.place.moveTo(entry);
      this.evolve(entry.tenant, entry.events, isLastOfTenant);
    });
  }

  /** What the fold throws on is of one tenant, and leaves the others alone. */
  private evolve(tenant: string, events: LedgerEntry['events'], isLast: boolean): void {
    try {
      for (const event of events) {
        if (isWatcherEvent(event)) this.evolveOwn(tenant, event);
        else if (this.tenants.faultOf(tenant) === undefined) this.core.evolve(this.tenants.state(tenant), event);
      }
      if (isLast && this.tenants.faultOf(tenant) === undefined) settle(this.tenants.state(tenant));
    } catch (cause) {
      this.tenants.fault(tenant, messageOf(cause));
    }
    if (isLast) this.tenants.changed(tenant);
  }

  private evolveOwn(tenant: string, event: WatcherEvent): void {
    const { offset, nowMs } = this.place;
    if (event.type === 'tenantHeld') this.tenants.hold(tenant, { offset, atMs: nowMs });
    if (event.type === 'tenantReleased') this.tenants.release(tenant);
  }
}
