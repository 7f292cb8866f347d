// An API key as it is kept: never the secret, only its hash.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'api_key' })
export class ApiKey {
  @PrimaryColumn('text', { name: 'key_id' })
  keyId!: string;

  @Column('text')
  tenant!: string;

  /** The principal's stable name. */
  @Column('text')
  name!: string;

  /** SHA-256 of the secret. */
  @Column('bytea', { name: 'secret_hash', unique: true })
  secretHash!: Buffer;

  @Column('text', { array: true })
  scopes!: string[];

  /** Exact, or a prefix ending in `*`. */
  @Column('text', { array: true })
  sources!: string[];

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
