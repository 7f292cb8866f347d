// An input's output on its way into the ledger: runs of events, numbered and cut into records.
import type { LedgerEntry, LedgerEvent } from '#event-log';

/** Events of one tenant, decided together. */
export interface DecidedRun {
  readonly tenant: string;
  /** The instant of the input they are of. */
  readonly at: string;
  /** Which input that waited for its tenant's release they are of; absent for the input itself. */
  readonly of?: LedgerEntry['of'];
  readonly events: readonly LedgerEvent[];
}

/** At most so many events a record. */
export const EVENTS_AN_ENTRY = 1_000;
/** A herd of deadlines is taken in pieces of so many: whoever else waits for a turn of this process has many to wait for. */
export const DEADLINES_A_RUN = 50;

/** One input's whole output as records. */
export function* cut(offset: number, runs: Iterable<DecidedRun>): Generator<LedgerEntry> {
  const cutter = new EntryCutter(offset);
  for (const run of runs) yield* cutter.add(run);
  const last = cutter.end();
  if (last !== undefined) yield last;
}

/** Likewise, where its runs are waited for. */
export async function* cutAsync(offset: number, runs: AsyncIterable<DecidedRun>): AsyncGenerator<LedgerEntry> {
  const cutter = new EntryCutter(offset);
  for await (const run of runs) yield* cutter.add(run);
  const last = cutter.end();
  if (last !== undefined) yield last;
}

/** Cuts one input's output: a record comes out once another stands behind it, since only then it is not the last. */
class EntryCutter {
  private n = 0;
  private held: LedgerEntry | undefined;

  constructor(private readonly offset: number) {}

  /** The records that are ready; every run has at least one event. */
  *add({ tenant, at, of, events }: DecidedRun): Generator<LedgerEntry> {
    for (let from = 0; from < events.length; from += EVENTS_AN_ENTRY) {
      if (this.held !== undefined) yield this.held;
      const isWhole = from === 0 && events.length <= EVENTS_AN_ENTRY;
      const piece = isWhole ? events : events.slice(from, from + EVENTS_AN_ENTRY);
      const isLastOf = from + EVENTS_AN_ENTRY >= events.length;
      this.held = {
        v: 1,
        tenant,
        at,
        offset: this.offset,
        n: this.n,
        last: false,
        ...(of === undefined ? {} : { of: isLastOf ? of : { ...of, last: false } }),
        events: piece,
      };
      this.n += piece.length;
    }
  }

  /** The last record; undefined where there was no output. */
  end(): LedgerEntry | undefined {
    return this.held && { ...this.held, last: true };
  }
}
