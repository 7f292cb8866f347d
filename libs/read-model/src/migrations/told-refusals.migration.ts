// Whether the agent was told what was refused.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToldRefusals1800000000000 implements MigrationInterface {
  readonly name = 'ToldRefusals1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_read.refusal
        ADD COLUMN telling text COLLATE "C",
        ADD COLUMN telling_ended_at timestamptz,
        ADD COLUMN telling_cause text COLLATE "C",
        ADD COLUMN told_task_id text COLLATE "C"`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_read.refusal
        DROP COLUMN telling, DROP COLUMN telling_ended_at, DROP COLUMN telling_cause, DROP COLUMN told_task_id`);
  }
}
