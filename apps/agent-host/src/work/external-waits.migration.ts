// Waits that somebody outside ends: found by the hash of their token, and no burden to who looks for work.
import type { MigrationInterface, QueryRunner } from 'typeorm';

const up = `
  ALTER TABLE duewatch_host.work ADD COLUMN token_hash text, ADD COLUMN late_at timestamptz;
  DROP INDEX duewatch_host.work_waiting;
  CREATE INDEX work_waiting ON duewatch_host.work (application, seq) WHERE NOT (stage IN ('open', 'external'));
  CREATE INDEX work_late ON duewatch_host.work (application, late_at) WHERE stage = 'external' AND late_at IS NOT NULL;
  CREATE TABLE duewatch_host.wait (
    application text NOT NULL,
    token_hash text NOT NULL,
    user_name text NOT NULL,
    task_id text NOT NULL,
    is_ended boolean NOT NULL DEFAULT false,
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (application, token_hash)
  );
  CREATE INDEX wait_changed ON duewatch_host.wait (application, changed_at)`;

const down = `
  DROP TABLE duewatch_host.wait;
  DROP INDEX duewatch_host.work_late;
  DROP INDEX duewatch_host.work_waiting;
  DELETE FROM duewatch_host.work WHERE stage IN ('open', 'external', 'late');
  ALTER TABLE duewatch_host.work DROP COLUMN token_hash, DROP COLUMN late_at;
  CREATE INDEX work_waiting ON duewatch_host.work (application, seq)`;

export class ExternalWaits1800000004000 implements MigrationInterface {
  readonly name = 'ExternalWaits1800000004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(down);
  }
}
