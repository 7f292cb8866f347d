// A lapse and how far its task has come on the way to the agent. A lapse stays when what lapsed is satisfied later.
import { Entity, Index } from 'typeorm';
import type { DispatchOutcome, InstantText, LapseBlock, LapseKind } from '#expectations';
import {
  FlagColumn,
  HashColumn,
  InstantColumn,
  JsonColumn,
  OpaqueColumn,
  WholeColumn,
  WordColumn,
} from '../columns.ts';

/** Where the lapse task stands. `concluded` is a submitted one whose task has ended, or that got a message for answer. */
export const dispatchStates = [
  'pending',
  'held',
  'sending',
  'unknown',
  'submitted',
  'concluded',
  'voided',
  'parked',
] as const;

export type DispatchState = (typeof dispatchStates)[number];

@Entity('lapse')
@Index('lapse_by_position', ['tenant', 'ledgerOffset', 'eventIndex'])
@Index('lapse_by_subject', ['subjectHash'])
@Index('lapse_by_dispatch_task', ['dispatchTaskHash'], { where: 'dispatch_task_hash IS NOT NULL' })
export class LapseRow {
  @HashColumn({ primary: true })
  expectationHash!: string;

  /** The occurrence of the expectation that lapsed. */
  @WholeColumn({ primary: true })
  occurrence!: number;

  @WordColumn({ primary: true })
  lapse!: LapseKind;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  agentId!: string;

  @OpaqueColumn()
  expectationId!: string;

  @HashColumn()
  subjectHash!: string;

  @WholeColumn()
  ledgerOffset!: number;

  @WholeColumn()
  eventIndex!: number;

  @InstantColumn()
  lapsedAt!: InstantText;

  /** The task that raised the expectation, and its context. */
  @OpaqueColumn()
  taskId!: string;

  @OpaqueColumn()
  contextId!: string;

  @OpaqueColumn()
  messageId!: string;

  /** The block of §10.1, as the agent receives it. */
  @JsonColumn()
  block!: LapseBlock;

  /** The agent keeps its own time: recorded, not submitted. */
  @FlagColumn()
  selfTimed!: boolean;

  @WordColumn()
  dispatchState!: DispatchState;

  /** The lapse task, as the agent has named it. */
  @OpaqueColumn({ nullable: true })
  dispatchTaskId!: string | null;

  /** Over tenant, agent and lapse task. */
  @HashColumn({ nullable: true })
  dispatchTaskHash!: string | null;

  @WholeColumn()
  attempts!: number;

  /** One of the attempts may have made a second task: the agent could not tell what became of an earlier one. */
  @FlagColumn()
  possibleDuplicate!: boolean;

  /** How the latest send failed. */
  @WordColumn({ nullable: true })
  outcome!: DispatchOutcome | null;

  /** Why it failed or was voided. */
  @OpaqueColumn({ nullable: true })
  cause!: string | null;

  @InstantColumn()
  dispatchChangedAt!: InstantText;
}
