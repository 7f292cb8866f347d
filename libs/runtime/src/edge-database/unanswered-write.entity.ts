// A write that was answered 202: what is needed to answer it from the ledger later.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'unanswered_write' })
export class UnansweredWrite {
  @PrimaryColumn('text')
  tenant!: string;

  /** As it was given to the client. */
  @PrimaryColumn('text')
  position!: string;

  /** Inbox offsets of its records, in order. */
  @Column('bigint', { array: true })
  offsets!: string[];

  /** A ledger offset before which none of its decisions can stand. */
  @Column('bigint', { name: 'ledger_from' })
  ledgerFrom!: string;

  /** JSON text of the answer's plan. */
  @Column('text')
  plan!: string;

  @Index('unanswered_write_created_at')
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}
