// A fact too implausible to be told to the log; an operator may release it.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'quarantined_fact' })
export class QuarantinedFact {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 over reporter, key and instant: the same fact is kept once. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** JSON text, as are the next two: ids may hold what `text` cannot. */
  @Column('text')
  reporter!: string;

  @Column('text')
  fact!: string;

  @Column('text')
  reason!: string;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt!: Date;
}
