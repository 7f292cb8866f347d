// The tasks on which something still depends, filled from what is in the other tables.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AwaitedTasks1797000002000 implements MigrationInterface {
  readonly name = 'AwaitedTasks1797000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_read.awaited_task (
        task_hash uuid NOT NULL,
        awaited_for uuid NOT NULL,
        ledger_offset bigint NOT NULL,
        tenant text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C" NOT NULL,
        task_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (task_hash, awaited_for)
      );
      CREATE INDEX awaited_task_by_tenant ON duewatch_read.awaited_task (tenant, task_hash);
      CREATE INDEX awaited_task_by_position ON duewatch_read.awaited_task (tenant, ledger_offset);
      CREATE INDEX awaited_task_by_reason ON duewatch_read.awaited_task (awaited_for)`);
    await runner.query(`${awaitedBefore(ofTask)} WHERE true ${andNotOver}`);
    await runner.query(`${awaitedBefore(ofQuestion)} WHERE true ${andNotOver}`);
    await runner.query(`
      INSERT INTO duewatch_read.awaited_task (task_hash, awaited_for, ledger_offset, tenant, agent_id, task_id)
        SELECT found.task_hash, found.task_hash, found.ledger_offset, found.tenant, found.agent_id, found.task_id FROM (
          SELECT dispatch_task_hash AS task_hash, ledger_offset, tenant, agent_id, dispatch_task_id AS task_id
            FROM duewatch_read.lapse WHERE dispatch_state = 'submitted' AND dispatch_task_hash IS NOT NULL
        ) AS found WHERE true ${andNotOver}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_read.awaited_task');
  }
}

// As `identityHash` makes it.
const hashOf = (taskId: string): string => `left(encode(sha256(convert_to(tenant, 'UTF8') || '\\x00'::bytea
  || convert_to(agent_id, 'UTF8') || '\\x00'::bytea || convert_to(${taskId}, 'UTF8')), 'hex'), 32)::uuid`;

const ofTask = `SELECT ${hashOf('task_id')} AS task_hash, expectation_hash, ledger_offset, tenant, agent_id, task_id
  FROM duewatch_read.expectation WHERE status = 'open'`;

const ofQuestion = `SELECT ${hashOf('subject_id')} AS task_hash, expectation_hash, ledger_offset, tenant, agent_id,
  subject_id AS task_id FROM duewatch_read.expectation WHERE status = 'open' AND question`;

const andNotOver = `AND NOT EXISTS (SELECT FROM duewatch_read.task WHERE task.task_hash = found.task_hash AND task.state IN
    ('TASK_STATE_COMPLETED', 'TASK_STATE_CANCELED', 'TASK_STATE_FAILED', 'TASK_STATE_REJECTED'))
  ON CONFLICT DO NOTHING`;

const awaitedBefore = (found: string): string => `
  INSERT INTO duewatch_read.awaited_task (task_hash, awaited_for, ledger_offset, tenant, agent_id, task_id)
    SELECT task_hash, expectation_hash, ledger_offset, tenant, agent_id, task_id FROM (${found}) AS found`;
