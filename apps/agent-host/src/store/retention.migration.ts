// What is let go of is found by an index: tasks by when they ended, sessions by when they were used last.
import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
  CREATE INDEX task_over ON duewatch_host.task (application, status_at) WHERE state IN (3, 4, 5, 7);
  ALTER TABLE duewatch_host.session ADD COLUMN used_at timestamptz NOT NULL DEFAULT clock_timestamp();
  CREATE INDEX session_used ON duewatch_host.session (application, used_at)`;

const down = `
  ALTER TABLE duewatch_host.session DROP COLUMN used_at;
  DROP INDEX duewatch_host.task_over`;

export class Retention1800000002000 implements MigrationInterface {
  readonly name = 'Retention1800000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
