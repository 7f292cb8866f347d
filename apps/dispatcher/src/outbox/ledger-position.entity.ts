// How far a partition's ledger has been followed, written in the transaction of the rows that it caused; and who owns them.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'ledger_position' })
export class LedgerPosition {
  @PrimaryColumn('int')
  partition!: number;

  /** The next ledger offset to be read. */
  @Column('bigint', { name: 'next_offset' })
  nextOffset!: string;

  /** Rises with every take-over of the partition's rows. */
  @Column('bigint', { default: 0 })
  owner!: string;

  /** What stands before is in the outbox: the two were followed apart once, and one was ahead. */
  @Column('bigint', { name: 'outbox_from', default: 0 })
  outboxFrom!: string;

  /** What stands before was announced: the same. */
  @Column('bigint', { name: 'notices_from', default: 0 })
  noticesFrom!: string;

  /** What lapsed before is announced to nobody: it was already, or it is old. */
  @Column('timestamptz')
  since!: Date;
}
