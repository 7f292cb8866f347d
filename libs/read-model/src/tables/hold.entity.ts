// What the watcher has held or parked, for operators: a tenant or a partition that is not decided, an input that never was.
import { Entity } from 'typeorm';
import type { InstantText } from '#expectations';
import { InstantColumn, OpaqueColumn, WholeColumn } from '../columns.ts';

@Entity('hold')
export class HoldRow {
  @WholeColumn({ primary: true })
  partition!: number;

  @WholeColumn({ primary: true })
  ledgerOffset!: number;

  @WholeColumn({ primary: true })
  eventIndex!: number;

  /** The first inbox offset that waits. */
  @WholeColumn()
  inboxOffset!: number;

  /** Null where the whole partition is held. */
  @OpaqueColumn({ nullable: true })
  tenant!: string | null;

  /** For an operator: why. */
  @OpaqueColumn()
  cause!: string;

  @InstantColumn()
  heldAt!: InstantText;

  /** Null while it is held. */
  @InstantColumn({ nullable: true })
  releasedAt!: InstantText | null;

  @OpaqueColumn({ nullable: true })
  releasedBy!: string | null;
}

@Entity('parked_input')
export class ParkedInputRow {
  @WholeColumn({ primary: true })
  partition!: number;

  @WholeColumn({ primary: true })
  inboxOffset!: number;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  cause!: string;

  @InstantColumn()
  parkedAt!: InstantText;
}
