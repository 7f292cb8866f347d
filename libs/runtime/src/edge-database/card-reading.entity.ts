// How the reading of one agent's card stands. All instants are the database's, so that replicas share the work.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'card_reading' })
@Index('card_reading_of_tenant', ['tenant', 'nextReadAt'])
export class CardReading {
  @PrimaryColumn('text')
  tenant!: string;

  /** As `Agent` has it. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** The newest of the agent's cards. */
  @Column('integer')
  version!: number;

  @Column('text', { nullable: true })
  etag!: string | null;

  /** Of the last reading that went well, whether or not it brought anything new. */
  @Column('timestamptz', { name: 'read_at', default: () => 'now()' })
  readAt!: Date;

  @Index('card_reading_next_read_at')
  @Column('timestamptz', { name: 'next_read_at', default: () => 'now()' })
  nextReadAt!: Date;

  /** Rises with each claim: whoever has claimed it before writes nothing more. */
  @Column('bigint')
  revision!: string;

  @Column('timestamptz', { name: 'claimed_until', nullable: true })
  claimedUntil!: Date | null;

  /** The log may not have been told what the card declares. */
  @Column('boolean', { default: false })
  untold!: boolean;

  /** Since the last reading that went well. */
  @Column('integer', { name: 'failures_count', default: 0 })
  failuresCount!: number;

  /** JSON text `{code, message}` of the last failure. */
  @Column('text', { nullable: true })
  problem!: string | null;

  @Column('timestamptz', { name: 'failed_at', nullable: true })
  failedAt!: Date | null;
}
