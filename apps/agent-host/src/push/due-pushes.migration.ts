// Of push configs only those are looked at that have something to tell: `next_at` is null while there is nothing.
import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
  DROP INDEX duewatch_host.push_due;
  ALTER TABLE duewatch_host.push ALTER COLUMN next_at DROP NOT NULL;
  UPDATE duewatch_host.push AS push SET next_at = NULL
    WHERE is_done OR NOT EXISTS (SELECT FROM duewatch_host.task AS task
      WHERE task.application = push.application AND task.user_name = push.user_name AND task.task_id = push.task_id
        AND task.version > push.told_version);
  CREATE INDEX push_due ON duewatch_host.push (application, next_at) WHERE next_at IS NOT NULL`;

const down = `
  DROP INDEX duewatch_host.push_due;
  UPDATE duewatch_host.push SET next_at = clock_timestamp() WHERE next_at IS NULL;
  ALTER TABLE duewatch_host.push ALTER COLUMN next_at SET NOT NULL;
  CREATE INDEX push_due ON duewatch_host.push (application, next_at) WHERE NOT is_done`;

export class DuePushes1800000003000 implements MigrationInterface {
  readonly name = 'DuePushes1800000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
