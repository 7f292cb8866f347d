// How one partition stands, for whoever watches the watcher.
import type { PartitionTally } from './partition-tally.ts';

/** What is known of it only while its state is in memory. */
export interface DecidingFigures {
  /** The earliest deadline that is not judged, of tenants that are not held, in epoch milliseconds. */
  readonly earliestDeadlineMs: number | undefined;
  /** The log's clock minus the process's. */
  readonly clockDifferenceMs: number;
  /** The inbox offset that is to be decided next. */
  readonly nextOffset: number;
  readonly isHeld: boolean;
  readonly heldTenantCount: number;
  /** The partition's time from which on the longest held tenant waits, in epoch milliseconds. */
  readonly heldSinceMs: number | undefined;
  readonly tenantCount: number;
  readonly openCount: number;
}

export interface PartitionFigures {
  readonly partition: number;
  /** True while input is being decided. */
  readonly isDeciding: boolean;
  /** As they are, or were when the partition was last decided; undefined before its first recovery. */
  readonly deciding: DecidingFigures | undefined;
  readonly tally: PartitionTally;
}
