// A pause as dispatch heeds it, and the settle time of a tenant or an agent: folded from the ledger like the outbox.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Ids stand in it hashed; a null fits everything. In force from `fromAt`, inclusive, to `untilAt`, exclusive. */
@Entity({ name: 'pause' })
@Index('pause_in_force', ['tenantKey', 'untilAt'])
export class PauseRow {
  /** SHA-256 over tenant and the pause's id. */
  @PrimaryColumn('text', { name: 'pause_key' })
  pauseKey!: string;

  @Column('text', { name: 'tenant_key' })
  tenantKey!: string;

  @Column('text', { name: 'agent_key', nullable: true })
  agentKey!: string | null;

  @Column('text', { name: 'kind_key', nullable: true })
  kindKey!: string | null;

  @Column('text', { name: 'subject_key', nullable: true })
  subjectKey!: string | null;

  @Column('timestamptz', { name: 'from_at' })
  fromAt!: Date;

  @Column('timestamptz', { name: 'until_at' })
  untilAt!: Date;
}

@Entity({ name: 'settle_time' })
export class SettleTimeRow {
  /** Of the tenant, or of the agent. */
  @PrimaryColumn('text', { name: 'scope_key' })
  scopeKey!: string;

  /** ISO 8601. */
  @Column('text')
  duration!: string;
}
