// Where people of a tenant want to be told of lapses. Its address may hold a secret of the receiver's: it is encrypted.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'sink' })
export class Sink {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text', { name: 'sink_id' })
  sinkId!: string;

  /** `alertmanager`, `slack` or `cloudevents`. */
  @Column('text')
  type!: string;

  /** Scheme, host and port of the address: what is shown of it. */
  @Column('text')
  origin!: string;

  /** JSON text: which lapses it is told of, and in how large groups. */
  @Column('text')
  rule!: string;

  @Column('boolean', { name: 'is_signed' })
  isSigned!: boolean;

  /** Address, header and secret as JSON, encrypted. */
  @Column('bytea', { name: 'address_sealed' })
  addressSealed!: Buffer;

  /** When it was first set. */
  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  /** How many notifications it will not be told, since it was set last. */
  @Column('int', { name: 'given_up_count', default: 0 })
  givenUpCount!: number;

  /** When, and why, it did not take a notification last, since it was set last. */
  @Column('timestamptz', { name: 'last_failed_at', nullable: true })
  lastFailedAt!: Date | null;

  @Column('text', { name: 'last_cause', nullable: true })
  lastCause!: string | null;
}
