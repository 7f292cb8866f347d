// A registered agent: where its card is, what it said, and the credential to call it with (encrypted).
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'agent' })
export class Agent {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 of the id's UTF-8: an id may be too long for an index. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  @Column('text', { name: 'agent_id' })
  agentId!: string;

  @Column('text', { name: 'card_url' })
  cardUrl!: string;

  /** JSON text: `jsonb` cannot hold every string that JSON can. */
  @Column('text')
  card!: string;

  /** JSON text of what the card declares under the extension's URI. */
  @Column('text')
  declaration!: string;

  /** JSON text. */
  @Column('text')
  findings!: string;

  /** JSON text of the settings last given at registration. */
  @Column('text')
  settings!: string;

  /** `bearer`, `header`, `oauth2`, `mtls`, or null for none. */
  @Column('text', { name: 'auth_type', nullable: true })
  authType!: string | null;

  /** The credential as JSON, encrypted. */
  @Column('bytea', { name: 'auth_sealed', nullable: true })
  authSealed!: Buffer | null;

  @Column('timestamptz', { name: 'registered_at' })
  registeredAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
