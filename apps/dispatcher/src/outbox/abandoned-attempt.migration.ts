// Of each lapse, the last of its attempts that was given up while its bytes may have been leaving.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AbandonedAttempt1798000000000 implements MigrationInterface {
  readonly name = 'AbandonedAttempt1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_dispatch.outbox ADD COLUMN abandoned_attempt int');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_dispatch.outbox DROP COLUMN abandoned_attempt');
  }
}
