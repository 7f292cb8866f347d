// The ledger's envelope: what one input decided for one tenant, or a piece of it. The public form of the record.
import type { Event } from '#expectations';
import type { WatcherEvent } from './watcher-event.ts';

export type LedgerEvent = Event | WatcherEvent;

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
  /** Of which input that waited for its tenant's release these are the events; `at` is then its instant. */
  readonly of?: { readonly offset: number; readonly last: boolean };
  readonly events: readonly LedgerEvent[];
}

/** The inbox is decided up to here; of the last inputs none had an output. */
export interface PositionMoved {
  readonly v: 1;
  readonly type: 'positionMoved';
  readonly at: string;
  readonly offset: number;
  readonly n: number;
  readonly last: true;
}

/** A writer begins: the partition is its own until the next one's record. */
export interface WriterStarted {
  readonly v: 1;
  readonly type: 'writerStarted';
  readonly deployment: string;
  readonly epoch: number;
}

/** The decider threw on the input at `offset`, and the process stops. Thrown on again, it is parked, or its tenant held. */
export interface InputFailed {
  readonly v: 1;
  readonly type: 'inputFailed';
  readonly offset: number;
  readonly cause: string;
}

/** The input at `offset` is stamped too far ahead of the timekeeper's clock: nothing is decided until a release. */
export interface PartitionHeld {
  readonly v: 1;
  readonly type: 'partitionHeld';
  readonly offset: number;
  /** The log's instant of the input, and the timekeeper's own at the time, RFC 3339. */
  readonly stampedAt: string;
  readonly clockAt: string;
}

/** The inputs from `offset` through `through` are taken at `takenAt` at the latest; as they are stamped where it is absent. */
export interface PartitionReleased {
  readonly v: 1;
  readonly type: 'partitionReleased';
  readonly offset: number;
  readonly through: number;
  readonly takenAt?: string;
  /** Who asked for it. */
  readonly by: string;
}

/** A record of the partition, not of a tenant. Only `positionMoved` moves the position. */
export type PartitionEntry = PositionMoved | WriterStarted | InputFailed | PartitionHeld | PartitionReleased;

/** An entry that says how far the inbox is decided. */
export type PositionedEntry = LedgerEntry | PositionMoved;

export function isPositioned(entry: LedgerEntry | PartitionEntry): entry is PositionedEntry {
  return !('type' in entry) || entry.type === 'positionMoved';
}
