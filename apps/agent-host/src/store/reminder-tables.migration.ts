// Where the host keeps what its tasks are to be reminded of.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReminderTables1800000001000 implements MigrationInterface {
  readonly name = 'ReminderTables1800000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_host.reminder_context (
        owner text NOT NULL,
        context_id text NOT NULL,
        state text NOT NULL,
        PRIMARY KEY (owner, context_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_host.reminder_context');
  }
}
