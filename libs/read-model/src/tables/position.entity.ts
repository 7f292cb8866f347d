// How far each partition of the ledger is folded, and what could not be.
import { Column, Entity } from 'typeorm';
import type { InstantText } from '#expectations';
import { FlagColumn, InstantColumn, WholeColumn } from '../columns.ts';

/** Written in the transaction that writes the rows it stands for. */
@Entity('position')
export class PositionRow {
  @WholeColumn({ primary: true })
  partition!: number;

  /** The last ledger offset folded; -1 before the first. */
  @WholeColumn()
  ledgerOffset!: number;

  /** The inbox offset of the input whose output was folded last; -1 before the first. */
  @WholeColumn()
  inboxOffset!: number;

  /** How many events of that output are folded. */
  @WholeColumn()
  eventCount!: number;

  /** Whether that is all of it. */
  @FlagColumn()
  complete!: boolean;

  /** The log's last instant, at which a reader judges. */
  @InstantColumn({ nullable: true })
  logInstant!: InstantText | null;
}

/** A record that was not folded, by reference, so that the next could be. */
@Entity('parked_record')
export class ParkedRecordRow {
  @WholeColumn({ primary: true })
  partition!: number;

  @WholeColumn({ primary: true })
  ledgerOffset!: number;

  @Column('text')
  reason!: string;

  /** The first 1,024 bytes of its value. */
  @Column('bytea')
  head!: Buffer;
}
