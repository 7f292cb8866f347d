// That an agent was asked to send what becomes of a task, and how it is known when it does: by a token of which only the
// hash is here.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'push_subscription' })
@Index('push_subscription_task', ['tenant', 'taskIdentity'])
export class PushSubscription {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea', { name: 'token_hash' })
  tokenHash!: Buffer;

  @Column('text')
  tenant!: string;

  /** SHA-256 over agent and task: ids may be too long for an index. */
  @Column('bytea', { name: 'task_identity' })
  taskIdentity!: Buffer;

  @Column('text', { name: 'agent_id' })
  agentId!: string;

  @Column('text', { name: 'task_id' })
  taskId!: string;

  /** When the agent said that it will; null while it has not. */
  @Column('timestamptz', { name: 'agreed_at', nullable: true })
  agreedAt!: Date | null;

  @Index('push_subscription_made_at')
  @Column('timestamptz', { name: 'made_at' })
  madeAt!: Date;
}
