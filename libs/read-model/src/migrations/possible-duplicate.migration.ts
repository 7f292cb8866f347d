// Lapses that may have become two tasks.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PossibleDuplicate1797000000000 implements MigrationInterface {
  readonly name = 'PossibleDuplicate1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_read.lapse ADD COLUMN possible_duplicate boolean NOT NULL DEFAULT false;
      ALTER TABLE duewatch_read.lapse ALTER COLUMN possible_duplicate DROP DEFAULT`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_read.lapse DROP COLUMN possible_duplicate');
  }
}
