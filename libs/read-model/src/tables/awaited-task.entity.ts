// A task that is not over and of which something still depends: an open expectation that it raised, an open question
// about it, or a lapse that was submitted as it. Whoever follows tasks reads this, so it is as long as what is to be
// followed, however much was recorded: what most tasks raise is recorded when they are over, and never stands here.
import { Entity, Index } from 'typeorm';
import { HashColumn, OpaqueColumn, WholeColumn } from '../columns.ts';

@Entity('awaited_task')
@Index('awaited_task_by_tenant', ['tenant', 'taskHash'])
@Index('awaited_task_by_position', ['tenant', 'ledgerOffset'])
@Index('awaited_task_by_reason', ['awaitedFor'])
export class AwaitedTaskRow {
  /** Over tenant, agent and task. */
  @HashColumn({ primary: true })
  taskHash!: string;

  /** Over tenant, agent and the expectation that depends on it; of a lapse task its own hash. */
  @HashColumn({ primary: true })
  awaitedFor!: string;

  /** Of the record that made it awaited: what has come lately is found by it. */
  @WholeColumn()
  ledgerOffset!: number;

  @OpaqueColumn()
  tenant!: string;

  @OpaqueColumn()
  agentId!: string;

  @OpaqueColumn()
  taskId!: string;
}
