// What the gateway keeps for agents that take no reminders themselves.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KeptReminders1799000003000 implements MigrationInterface {
  readonly name = 'KeptReminders1799000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.kept_reminders (
        tenant text NOT NULL,
        agent_id text NOT NULL,
        task_id text NOT NULL,
        state jsonb NOT NULL,
        live_count integer NOT NULL,
        interface_path text NOT NULL,
        changed_at timestamptz NOT NULL DEFAULT now(),
        look_at timestamptz NOT NULL,
        tries_count integer NOT NULL DEFAULT 0,
        PRIMARY KEY (tenant, agent_id, task_id)
      );
      CREATE INDEX kept_reminders_look_at ON duewatch_edge.kept_reminders (look_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.kept_reminders');
  }
}
