// A client's message that the gateway has sent on, noted before; without an end it is looked up at the agent.
import { Column, Entity, Generated, Index, PrimaryColumn } from 'typeorm';

/**
 * What became of it. `answered`: the agent's answer was read to its end and is in the log; `unsent`: it never reached the
 * agent; `found`: it was looked up there; `unseen`: it was not to be found.
 */
export const forwardedSendOutcomes = ['answered', 'unsent', 'found', 'unseen'] as const;

export type ForwardedSendOutcome = (typeof forwardedSendOutcomes)[number];

@Entity({ name: 'forwarded_send' })
@Index('forwarded_send_look_at', ['lookAt'], { where: 'ended_at IS NULL' })
@Index('forwarded_send_ended_at', ['endedAt'], { where: 'ended_at IS NOT NULL' })
export class ForwardedSend {
  @PrimaryColumn('bigint')
  @Generated('increment')
  number!: string;

  @Column('text')
  tenant!: string;

  @Column('text', { name: 'agent_id' })
  agentId!: string;

  /** Null, as are the next two, where it had none, or where it is an answer that could not be recorded. */
  @Column('text', { name: 'message_id', nullable: true })
  messageId!: string | null;

  @Column('text', { name: 'context_id', nullable: true })
  contextId!: string | null;

  /** The client's, or the agent's once it is known. */
  @Column('text', { name: 'task_id', nullable: true })
  taskId!: string | null;

  /** As whom its client answers, where it is for a task that there was already; null where it is not. */
  @Column('text', { name: 'answer_reporter', nullable: true })
  answerReporter!: string | null;

  /** The path of the interface that it went to. */
  @Column('text', { name: 'interface_path' })
  interfacePath!: string;

  /** Whether the extension was activated (§7). */
  @Column('boolean', { name: 'is_activated' })
  isActivated!: boolean;

  @Column('timestamptz', { name: 'noted_at', default: () => 'now()' })
  notedAt!: Date;

  /** Whoever forwards it keeps this ahead; from here on it is looked up. */
  @Column('timestamptz', { name: 'look_at' })
  lookAt!: Date;

  /** Look-ups begun. */
  @Column('integer', { name: 'tries_count', default: 0 })
  triesCount!: number;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { nullable: true })
  outcome!: ForwardedSendOutcome | null;
}
