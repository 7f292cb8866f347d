// What agents are reminded of in their own running tasks, and what of it they were not told.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentReminders1802000000000 implements MigrationInterface {
  readonly name = 'AgentReminders1802000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.agent_reminders (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        agent_id text NOT NULL,
        before_due text,
        lapsed boolean NOT NULL,
        PRIMARY KEY (tenant, identity)
      );
      ALTER TABLE duewatch_edge.agent_trouble ADD COLUMN untold_count int, ADD COLUMN untold_cause text,
        ADD COLUMN untold_message text, ADD COLUMN untold_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.agent_trouble DROP COLUMN untold_count, DROP COLUMN untold_cause,
        DROP COLUMN untold_message, DROP COLUMN untold_at;
      DROP TABLE duewatch_edge.agent_reminders`);
  }
}
