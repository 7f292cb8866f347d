// An expectation as the ledger tells it. It must never hold what was not in an event.
import { Entity, Index } from 'typeorm';
import type { InstantText, Json, SatisfiedBy, WarningCode, WithdrawalCause } from '#expectations';
import {
  FlagColumn,
  HashColumn,
  InstantColumn,
  JsonColumn,
  OpaqueColumn,
  WholeColumn,
  WordColumn,
} from '../columns.ts';

export type ExpectationStatus = 'open' | 'satisfied' | 'withdrawn';

/** One occurrence of an id: an id forgotten by *Memory* may be used again. Only what never changes is indexed. */
@Entity('expectation')
@Index('expectation_by_position', ['tenant', 'ledgerOffset', 'eventIndex'])
@Index('expectation_by_subject', ['subjectHash'])
export class ExpectationRow {
  /** Over tenant, agent and id. */
  @HashColumn({ primary: true })
  expectationHash!: string;

  /** 1 for the first use of the id. */
  @WholeColumn({ primary: true })
  occurrence!: number;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  agentId!: string;

  @OpaqueColumn()
  expectationId!: string;

  /** The ledger record that recorded it, and the event's place in it. */
  @WholeColumn()
  ledgerOffset!: number;

  @WholeColumn()
  eventIndex!: number;

  @OpaqueColumn()
  kind!: string;

  @OpaqueColumn()
  subjectType!: string;

  @OpaqueColumn()
  subjectId!: string;

  /** Over tenant, type and id. */
  @HashColumn()
  subjectHash!: string;

  @OpaqueColumn()
  expects!: string;

  @OpaqueColumn()
  factKey!: string;

  @OpaqueColumn()
  basis!: string;

  /** As raised, `PT0S` where absent. */
  @OpaqueColumn()
  grace!: string;

  @InstantColumn({ nullable: true })
  horizon!: InstantText | null;

  @JsonColumn({ nullable: true })
  anchor!: { readonly expectationId: string; readonly offset: string } | null;

  @JsonColumn()
  after!: readonly string[];

  @OpaqueColumn({ nullable: true })
  supersedes!: string | null;

  @WholeColumn()
  lineage!: number;

  @FlagColumn()
  question!: boolean;

  @JsonColumn()
  warnings!: readonly WarningCode[];

  @OpaqueColumn()
  taskId!: string;

  @OpaqueColumn()
  contextId!: string;

  /** The content as raised, unknown fields included. */
  @JsonColumn()
  raised!: { readonly [key: string]: Json };

  @InstantColumn()
  recordedAt!: InstantText;

  @InstantColumn()
  projectedDueAt!: InstantText;

  @InstantColumn()
  dueAt!: InstantText;

  /** When its anchor's satisfaction set the current due time; null until then. */
  @InstantColumn({ nullable: true })
  reanchoredAt!: InstantText | null;

  @FlagColumn()
  suspended!: boolean;

  @WordColumn()
  status!: ExpectationStatus;

  @InstantColumn({ nullable: true })
  satisfiedAt!: InstantText | null;

  @InstantColumn({ nullable: true })
  observedAt!: InstantText | null;

  @OpaqueColumn({ nullable: true })
  source!: string | null;

  @FlagColumn({ nullable: true })
  late!: boolean | null;

  @FlagColumn({ nullable: true })
  reportedLate!: boolean | null;

  @WordColumn({ nullable: true })
  how!: SatisfiedBy | null;

  /** The fact that satisfied it, by its number in the tenant's ledger. */
  @WholeColumn({ nullable: true })
  factNumber!: number | null;

  @WordColumn({ nullable: true })
  withdrawn!: WithdrawalCause | null;

  @InstantColumn({ nullable: true })
  withdrawnAt!: InstantText | null;

  @OpaqueColumn({ nullable: true })
  reason!: string | null;

  @OpaqueColumn({ nullable: true })
  supersededBy!: string | null;
}
