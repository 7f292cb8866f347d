// Reminders that the gateway keeps for one task of an agent that takes none itself, until a message carries them there.
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity({ name: 'kept_reminders' })
@Index('kept_reminders_look_at', ['lookAt'])
export class KeptRemindersRow {
  @PrimaryColumn('text')
  tenant!: string;

  @PrimaryColumn('text', { name: 'agent_id' })
  agentId!: string;

  @PrimaryColumn('text', { name: 'task_id' })
  taskId!: string;

  /** The state that the life cycle of reminders folds to, with their words. */
  @Column('jsonb')
  state!: object;

  /** How many wait to be carried. */
  @Column('integer', { name: 'live_count' })
  liveCount!: number;

  /** The path of the interface that they came by: there the task is asked for. */
  @Column('text', { name: 'interface_path' })
  interfacePath!: string;

  @Column('timestamptz', { name: 'changed_at', default: () => 'now()' })
  changedAt!: Date;

  /** From here on it is asked whether the task still runs; where nothing waits, the row is deleted. */
  @Column('timestamptz', { name: 'look_at' })
  lookAt!: Date;

  /** Look-ups begun since it changed. */
  @Column('integer', { name: 'tries_count', default: 0 })
  triesCount!: number;
}
