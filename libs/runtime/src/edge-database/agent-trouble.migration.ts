// What is wrong with agents as they are called.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentTrouble1800000001000 implements MigrationInterface {
  readonly name = 'AgentTrouble1800000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.agent_trouble (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        unfollowed_count int,
        unfollowed_cause text,
        unfollowed_message text,
        unfollowed_since timestamptz,
        echo_missed_at timestamptz,
        echo_missed_interface text,
        echo_missed_url text,
        PRIMARY KEY (tenant, identity)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.agent_trouble');
  }
}
