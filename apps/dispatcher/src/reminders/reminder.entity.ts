// What running tasks may be told of what they expect: one row an open expectation of an agent that asked for it, and one
// more a lapse that is still to be told.
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/** `kept`: nothing of it is to be told, for now. `pending`: it is, from `nextAt` on. */
export type ReminderState = 'kept' | 'pending';

@Entity({ name: 'reminder' })
@Index('reminder_due', ['partition', 'nextAt'], { where: `state = 'pending'` })
@Index('reminder_of_agent', ['agentKey', 'nextAt'], { where: `state = 'pending'` })
@Index('reminder_of_task', ['taskKey'])
export class ReminderRow {
  @PrimaryColumn('text', { name: 'expectation_key' })
  expectationKey!: string;

  /** `due`, or the kind of lapse. */
  @PrimaryColumn('text')
  about!: string;

  @Column('bigint')
  @Generated('increment')
  seq!: string;

  @Column('int')
  partition!: number;

  /** The scope that a pause may have. */
  @Column('text', { name: 'tenant_key' })
  tenantKey!: string;

  @Column('text', { name: 'agent_key' })
  agentKey!: string;

  @Column('text', { name: 'kind_key' })
  kindKey!: string;

  @Column('text', { name: 'subject_key' })
  subjectKey!: string;

  @Column('text', { name: 'task_key' })
  taskKey!: string;

  /** JSON text of tenant and expectation: `text` cannot hold every string that JSON can. */
  @Column('text')
  told!: string;

  /** JSON text of the lapse; null where it is of what is due. */
  @Column('text', { nullable: true })
  lapse!: string | null;

  @Column('timestamptz', { name: 'due_at' })
  dueAt!: Date;

  @Column('timestamptz', { name: 'projected_due_at' })
  projectedDueAt!: Date;

  @Column('text')
  state!: ReminderState;

  @Column('timestamptz', { name: 'next_at' })
  nextAt!: Date;

  @Column('int', { name: 'failures_count', default: 0 })
  failuresCount!: number;
}
