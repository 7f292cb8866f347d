// A pause of dispatch, for operators: who holds what, why and until when. It stays once it is over: its id is used up.
import { Entity, Index } from 'typeorm';
import type { InstantText } from '#expectations';
import { FlagColumn, HashColumn, InstantColumn, OpaqueColumn, WholeColumn } from '../columns.ts';

/** Nulls in its scope fit everything. In force from `fromAt`, inclusive, to `untilAt` or `endedAt`, exclusive. */
@Entity('pause')
@Index('pause_by_position', ['tenant', 'ledgerOffset', 'eventIndex'])
export class PauseRow {
  /** Over tenant and id. */
  @HashColumn({ primary: true })
  pauseHash!: string;

  @WholeColumn()
  ledgerOffset!: number;

  @WholeColumn()
  eventIndex!: number;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  pauseId!: string;

  @OpaqueColumn({ nullable: true })
  agentId!: string | null;

  @OpaqueColumn({ nullable: true })
  kind!: string | null;

  /** Both or neither. */
  @OpaqueColumn({ nullable: true })
  subjectType!: string | null;

  @OpaqueColumn({ nullable: true })
  subjectId!: string | null;

  /** Over tenant and subject. */
  @HashColumn({ nullable: true })
  subjectHash!: string | null;

  @OpaqueColumn()
  reason!: string;

  @OpaqueColumn()
  pausedBy!: string;

  @InstantColumn()
  pausedAt!: InstantText;

  @InstantColumn()
  fromAt!: InstantText;

  /** False where it began at once, for it did not say when. */
  @FlagColumn()
  isFromGiven!: boolean;

  @InstantColumn()
  untilAt!: InstantText;

  /** Null unless it was ended before its time. */
  @InstantColumn({ nullable: true })
  endedAt!: InstantText | null;

  @OpaqueColumn({ nullable: true })
  endedBy!: string | null;
}
