// The ledger's envelope: what one input decided for one tenant, or a piece of it. The public form of the record.
import type { Event } from '#expectations';

/** One ledger record: a run of events of one tenant, decided from the inbox record at `offset`. */
export interface LedgerEntry {
  readonly v: 1;
  readonly tenant: string;
  /** The input's instant (the append instant, never going back), RFC 3339. */
  readonly at: string;
  /** The inbox offset of the input. */
  readonly offset: number;
  /** How many events of this input's output, of all tenants, stand before the first of these. */
  readonly n: number;
  /** True on the last record of an input's output. */
  readonly last: boolean;
  readonly events: readonly Event[];
}

/** A record of the partition, not of a tenant. */
export type PartitionEntry =
  | {
      readonly v: 1;
      readonly type: 'positionMoved';
      readonly at: string;
      readonly offset: number;
      readonly n: number;
      readonly last: true;
    }
  | { readonly v: 1; readonly type: 'writerStarted'; readonly deployment: string; readonly epoch: number };
