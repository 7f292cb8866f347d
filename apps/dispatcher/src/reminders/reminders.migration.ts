// Reminders of what running tasks expect.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Reminders1802000000000 implements MigrationInterface {
  readonly name = 'Reminders1802000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.reminder (
        expectation_key text NOT NULL,
        about text NOT NULL,
        seq bigserial NOT NULL,
        partition int NOT NULL,
        tenant_key text NOT NULL,
        agent_key text NOT NULL,
        kind_key text NOT NULL,
        subject_key text NOT NULL,
        task_key text NOT NULL,
        told text NOT NULL,
        lapse text,
        due_at timestamptz NOT NULL,
        projected_due_at timestamptz NOT NULL,
        state text NOT NULL,
        next_at timestamptz NOT NULL,
        failures_count int NOT NULL DEFAULT 0,
        PRIMARY KEY (expectation_key, about)
      );
      CREATE INDEX reminder_due ON duewatch_dispatch.reminder (partition, next_at) WHERE state = 'pending';
      CREATE INDEX reminder_of_agent ON duewatch_dispatch.reminder (agent_key, next_at) WHERE state = 'pending';
      CREATE INDEX reminder_of_task ON duewatch_dispatch.reminder (task_key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_dispatch.reminder');
  }
}
