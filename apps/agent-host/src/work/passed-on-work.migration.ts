// Which claim has begun the work: where that passes it on, nobody has.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PassedOnWork1800000005000 implements MigrationInterface {
  readonly name = 'PassedOnWork1800000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_host.work ADD COLUMN begun_epoch int');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_host.work DROP COLUMN begun_epoch');
  }
}
