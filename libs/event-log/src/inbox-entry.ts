// The inbox's envelope: one input as it was told to the log, without its instant, which is the log's own.
import type { UntimedInput } from '#expectations';
import type { DispatchAct } from './dispatch-act.ts';
import type { ReminderReported } from './reminder-act.ts';

/** An operator asks that the record's tenant, held since `heldOffset`, be decided again. */
export interface TenantReleaseRequested {
  readonly type: 'tenantReleaseRequested';
  readonly heldOffset: number;
  readonly by: string;
}

/** An operator asks, in a record of the partition, that what is held since `heldOffset` be decided. */
export interface PartitionReleaseRequested {
  readonly type: 'partitionReleaseRequested';
  readonly heldOffset: number;
  /** At which instant at the latest what is held counts as appended, RFC 3339; as it is stamped where absent. */
  readonly takenAt?: string;
  readonly by: string;
}

export type OperatorAct = TenantReleaseRequested | PartitionReleaseRequested | DispatchAct;

export type { UntimedInput };

/** One inbox record. Its tenant is the record's own, never the payload's. */
export interface InboxEntry {
  readonly v: 1;
  readonly input: UntimedInput | OperatorAct | ReminderReported;
}
