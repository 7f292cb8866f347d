// What was refused and told to whoever asked. A repeat that was answered but not reported again is not here.
import { Entity } from 'typeorm';
import type { RefusalTellingEnded } from '#event-log';
import type { InstantText, RefusalCode } from '#expectations';
import { InstantColumn, OpaqueColumn, WholeColumn, WordColumn } from '../columns.ts';

@Entity('refusal')
export class RefusalRow {
  @OpaqueColumn({ primary: true })
  tenant!: string;

  @WholeColumn({ primary: true })
  ledgerOffset!: number;

  @WholeColumn({ primary: true })
  eventIndex!: number;

  @WordColumn()
  refused!: 'expectation' | 'fact';

  @WordColumn()
  code!: RefusalCode;

  /** For a person: what is wrong, and where. */
  @OpaqueColumn()
  message!: string;

  @InstantColumn()
  refusedAt!: InstantText;

  /** Of an expectation: who raised it, in which task, and its id where one could be read. */
  @OpaqueColumn({ nullable: true })
  agentId!: string | null;

  @OpaqueColumn({ nullable: true })
  expectationId!: string | null;

  @OpaqueColumn({ nullable: true })
  taskId!: string | null;

  /** Of a fact: who reported it, and its key where one could be read. */
  @OpaqueColumn({ nullable: true })
  reporter!: string | null;

  @OpaqueColumn({ nullable: true })
  factKey!: string | null;

  /** Of an expectation: how telling its agent has ended; null while that goes on, and for what was never to be told. */
  @WordColumn({ nullable: true })
  telling!: RefusalTellingEnded['outcome'] | null;

  @InstantColumn({ nullable: true })
  tellingEndedAt!: InstantText | null;

  @OpaqueColumn({ nullable: true })
  tellingCause!: string | null;

  /** The task that the agent made of being told. */
  @OpaqueColumn({ nullable: true })
  toldTaskId!: string | null;
}
