// What is wrong with an agent as it is called, beside its card: as those who call it have noticed last.
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity({ name: 'agent_trouble' })
export class AgentTroubleRow {
  @PrimaryColumn('text')
  tenant!: string;

  /** SHA-256 of the agent's id, as in its own table. */
  @PrimaryColumn('bytea')
  identity!: Buffer;

  /** Of its tasks that cannot be followed; null, as are the next three, where all can. */
  @Column('int', { name: 'unfollowed_count', nullable: true })
  unfollowedCount!: number | null;

  @Column('text', { name: 'unfollowed_cause', nullable: true })
  unfollowedCause!: string | null;

  @Column('text', { name: 'unfollowed_message', nullable: true })
  unfollowedMessage!: string | null;

  /** Since when there has been any. */
  @Column('timestamptz', { name: 'unfollowed_since', nullable: true })
  unfollowedSince!: Date | null;

  /** When it took a message last without saying that the extension is activated; null where it says so. */
  @Column('timestamptz', { name: 'echo_missed_at', nullable: true })
  echoMissedAt!: Date | null;

  /** The path, at the gateway, of the interface that did not; null with the instant, as is the next. */
  @Column('text', { name: 'echo_missed_interface', nullable: true })
  echoMissedInterface!: string | null;

  @Column('text', { name: 'echo_missed_url', nullable: true })
  echoMissedUrl!: string | null;

  /** Of reminders that it was to be told and was not; null, as are the next three, where the last one was told. */
  @Column('int', { name: 'untold_count', nullable: true })
  untoldCount!: number | null;

  @Column('text', { name: 'untold_cause', nullable: true })
  untoldCause!: string | null;

  @Column('text', { name: 'untold_message', nullable: true })
  untoldMessage!: string | null;

  /** Of the last. */
  @Column('timestamptz', { name: 'untold_at', nullable: true })
  untoldAt!: Date | null;
}
