// What an agent is reminded of in its own running tasks.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'agent_reminders' })
export class AgentRemindersRow {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 of the agent's id, as in its own table. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  @Column('text', { name: 'agent_id' })
  agentId!: string;

  /** An ISO 8601 duration; null where it is not told that something is due soon. */
  @Column('text', { name: 'before_due', nullable: true })
  beforeDue!: string | null;

  @Column('boolean')
  lapsed!: boolean;
}
