// A fact too implausible to be told to the log, and what an operator made of it.
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/** `releasing`: its release has begun, so it may be in the log already. The last two are final. */
export const quarantineStates = ['quarantined', 'releasing', 'released', 'discarded'] as const;

export type QuarantineState = (typeof quarantineStates)[number];

@Entity({ name: 'quarantined_fact' })
@Index('quarantined_fact_state', ['tenant', 'state', 'number'])
export class QuarantinedFact {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 over reporter, key and instant: the same fact is kept once. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** Its place in the order of arrival. */
  @Column('bigint')
  @Generated('increment')
  number!: string;

  /** JSON text, as is the next: ids may hold what `text` cannot. */
  @Column('text')
  reporter!: string;

  @Column('text')
  fact!: string;

  /** Why it was not believed. */
  @Column('text')
  reason!: string;

  @Column('timestamptz', { name: 'received_at', default: () => 'now()' })
  receivedAt!: Date;

  @Column('text', { default: 'quarantined' })
  state!: QuarantineState;

  @Index('quarantined_fact_settled_at')
  @Column('timestamptz', { name: 'settled_at', nullable: true })
  settledAt!: Date | null;

  /** The name of the key that released or discarded it. */
  @Column('text', { name: 'settled_by', nullable: true })
  settledBy!: string | null;

  /** Of the release, in the log. */
  @Column('text', { nullable: true })
  position!: string | null;

  @Column('text', { name: 'discard_reason', nullable: true })
  discardReason!: string | null;
}
