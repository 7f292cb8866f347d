// A task's state as last applied.
import { Entity } from 'typeorm';
import type { InstantText } from '#expectations';
import { HashColumn, InstantColumn, OpaqueColumn } from '../columns.ts';

@Entity('task')
export class TaskRow {
  /** Over tenant, agent and task. */
  @HashColumn({ primary: true })
  taskHash!: string;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  agentId!: string;

  @OpaqueColumn()
  taskId!: string;

  @OpaqueColumn()
  contextId!: string;

  @OpaqueColumn()
  state!: string;

  /** The latest `statusAt` that a status gave. */
  @InstantColumn({ nullable: true })
  statusAt!: InstantText | null;

  @InstantColumn()
  appliedAt!: InstantText;
}
