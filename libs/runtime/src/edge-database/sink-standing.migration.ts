// How sinks take what they are told.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SinkStanding1799000001000 implements MigrationInterface {
  readonly name = 'SinkStanding1799000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.sink
        ADD COLUMN given_up_count int NOT NULL DEFAULT 0, ADD COLUMN last_failed_at timestamptz, ADD COLUMN last_cause text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.sink
        DROP COLUMN given_up_count, DROP COLUMN last_failed_at, DROP COLUMN last_cause`);
  }
}
