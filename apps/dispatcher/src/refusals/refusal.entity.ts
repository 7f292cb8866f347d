// What an agent is to be told of its own that was refused, until the ledger says how that has ended.
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/** `sending`: it may be with the agent. `ended`: it is known how that went, and the ledger does not say so yet. */
export type RefusalState = 'pending' | 'sending' | 'ended';

@Entity({ name: 'refusal' })
@Index('refusal_place', ['partition', 'ledgerOffset', 'eventIndex'], { unique: true })
@Index('refusal_of_agent', ['agentKey', 'seq'])
@Index('refusal_due', ['partition', 'state', 'nextAt'])
export class RefusalToTell {
  @PrimaryColumn('bigint')
  @Generated('increment')
  seq!: string;

  @Column('int')
  partition!: number;

  @Column('bigint', { name: 'ledger_offset' })
  ledgerOffset!: string;

  @Column('int', { name: 'event_index' })
  eventIndex!: number;

  /** The scope that a pause may have; a refusal has no kind and no subject: these are empty. */
  @Column('text', { name: 'tenant_key' })
  tenantKey!: string;

  @Column('text', { name: 'agent_key' })
  agentKey!: string;

  @Column('text', { name: 'kind_key', default: '' })
  kindKey!: string;

  @Column('text', { name: 'subject_key', default: '' })
  subjectKey!: string;

  @Column('text', { name: 'context_key' })
  contextKey!: string;

  /** JSON text of tenant and event: `text` cannot hold every string that JSON can. */
  @Column('text')
  refused!: string;

  @Column('text', { default: 'pending' })
  state!: RefusalState;

  @Column('int', { name: 'failures_count', default: 0 })
  failuresCount!: number;

  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;

  @Column('timestamptz', { name: 'next_at' })
  nextAt!: Date;

  /** JSON text of what the log is still to be told. Several rows that end as one have it in the first of them. */
  @Column('text', { nullable: true })
  report!: string | null;
}

/** A context in which an agent was told of refusals lately, a day on which it was, or a task that it has made of it, in whatever context. */
@Entity({ name: 'told_context' })
@Index('told_context_age', ['toldAt'])
export class ToldContext {
  @PrimaryColumn('text', { name: 'context_key' })
  contextKey!: string;

  /** Of a task 0: in it nothing is told. */
  @Column('int', { name: 'told_count' })
  toldCount!: number;

  @Column('timestamptz', { name: 'told_at' })
  toldAt!: Date;
}
