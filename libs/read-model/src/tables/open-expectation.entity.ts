// What is open, by when it was recorded and when it is due. It stands apart from the expectation so that closing one
// changes no indexed column of the wide table: PostgreSQL then rewrites no index of it.
import { Entity, Index } from 'typeorm';
import type { InstantText } from '#expectations';
import { FlagColumn, HashColumn, InstantColumn, OpaqueColumn, WholeColumn } from '../columns.ts';

@Entity('open_expectation')
@Index('open_expectation_by_due', ['tenant', 'dueAt', 'ledgerOffset', 'eventIndex'])
@Index('open_expectation_by_position', ['tenant', 'ledgerOffset', 'eventIndex'])
@Index('open_expectation_suspended', ['tenant', 'ledgerOffset', 'eventIndex'], { where: 'suspended' })
@Index('open_expectation_lapsed', ['tenant', 'ledgerOffset', 'eventIndex'], { where: 'lapsed' })
export class OpenExpectationRow {
  @HashColumn({ primary: true })
  expectationHash!: string;

  @WholeColumn()
  occurrence!: number;

  @OpaqueColumn()
  tenant!: string;

  @InstantColumn()
  dueAt!: InstantText;

  @WholeColumn()
  ledgerOffset!: number;

  @WholeColumn()
  eventIndex!: number;

  @FlagColumn()
  suspended!: boolean;

  /** It has lapsed, in whatever way. */
  @FlagColumn()
  lapsed!: boolean;
}
