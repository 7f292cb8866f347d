// What agents were asked to send.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PushSubscriptions1797000001000 implements MigrationInterface {
  readonly name = 'PushSubscriptions1797000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.push_subscription (
        token_hash bytea PRIMARY KEY,
        tenant text NOT NULL,
        task_identity bytea NOT NULL,
        agent_id text NOT NULL,
        task_id text NOT NULL,
        agreed_at timestamptz,
        made_at timestamptz NOT NULL
      );
      CREATE INDEX push_subscription_task ON duewatch_edge.push_subscription (tenant, task_identity);
      CREATE INDEX push_subscription_made_at ON duewatch_edge.push_subscription (made_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.push_subscription');
  }
}
