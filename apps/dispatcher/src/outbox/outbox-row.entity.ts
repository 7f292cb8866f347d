// One lapse that is still to be submitted, or whose submission the ledger does not show yet.
// Ids stand in it hashed or as JSON text: `text` cannot hold every string that JSON can, nor an index every length.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * `pending`: recorded, leave to send not asked. `asked`: asked, the ledger has not answered. `ready`: leave given, to be
 * sent from `nextAt` on. `sending`: bytes may be leaving. `unknown`: it may have been submitted; to be looked for from
 * `nextAt` on. `submitted`: the agent has it, the ledger does not say so yet. `parked`: it waits for the agent to be
 * registered anew, or for a person to have it retried or discarded. What is `pending` or `ready` waits for pauses, too.
 */
export type OutboxState = 'pending' | 'asked' | 'ready' | 'sending' | 'unknown' | 'submitted' | 'parked';

const isWaiting = `state IN ('pending', 'asked', 'ready', 'sending', 'unknown')`;

@Entity({ name: 'outbox' })
@Index('outbox_waiting', ['agentKey', 'seq'], { where: isWaiting })
@Index('outbox_parked', ['agentKey'], { where: `state = 'parked'` })
@Index('outbox_report', ['seq'], { where: 'report IS NOT NULL' })
export class OutboxRow {
  /** SHA-256 over tenant, agent, expectation and lapse: the lapse's identity. */
  @PrimaryColumn('text', { name: 'lapse_key' })
  lapseKey!: string;

  /** The order in which lapses were recorded, per partition. */
  @Column('bigint', { generated: 'increment' })
  seq!: string;

  /** SHA-256 over tenant and agent. */
  @Column('text', { name: 'agent_key' })
  agentKey!: string;

  @Column('int')
  partition!: number;

  /** JSON text of tenant and `expectationLapsed` event. */
  @Column('text')
  lapsed!: string;

  @Column('text')
  state!: OutboxState;

  /** The number of the attempt that is asked for, under way, or next. */
  @Column('int')
  attempt!: number;

  @Column('timestamptz', { name: 'next_at' })
  nextAt!: Date;

  /** The last attempt of which the outcome went with whoever made it: it may leave for the agent yet. */
  @Column('int', { name: 'abandoned_attempt', nullable: true })
  abandonedAttempt!: number | null;

  /** How the last attempt failed, as the log was told. */
  @Column('text', { name: 'last_outcome', nullable: true })
  lastOutcome!: string | null;

  /** The expectation was closed while the submission was under way or unknown: not to be sent again. */
  @Column('boolean')
  closed!: boolean;

  /** JSON text of an input the log is still to be told. */
  @Column('text', { nullable: true })
  report!: string | null;

  /** By these, hashed, and `agentKey` a pause finds it. */
  @Column('text', { name: 'tenant_key' })
  tenantKey!: string;

  @Column('text', { name: 'kind_key' })
  kindKey!: string;

  @Column('text', { name: 'subject_key' })
  subjectKey!: string;
}
