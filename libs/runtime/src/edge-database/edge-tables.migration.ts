// The first tables of the edges.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class EdgeTables1790000000000 implements MigrationInterface {
  readonly name = 'EdgeTables1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.api_key (
        key_id text PRIMARY KEY,
        tenant text NOT NULL,
        name text NOT NULL,
        secret_hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        sources text[] NOT NULL,
        created_at timestamptz NOT NULL,
        revoked_at timestamptz
      );
      CREATE TABLE duewatch_edge.agent (
        tenant text NOT NULL,
        agent_id text NOT NULL,
        card_url text NOT NULL,
        card text NOT NULL,
        declaration text NOT NULL,
        findings text NOT NULL,
        settings text NOT NULL,
        auth_type text,
        auth_sealed bytea,
        registered_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (tenant, agent_id)
      );
      CREATE TABLE duewatch_edge.unanswered_write (
        tenant text NOT NULL,
        position text NOT NULL,
        offsets bigint[] NOT NULL,
        ledger_from bigint NOT NULL,
        plan text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, position)
      );
      CREATE INDEX unanswered_write_created_at ON duewatch_edge.unanswered_write (created_at);
      CREATE TABLE duewatch_edge.quarantined_fact (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        reporter text NOT NULL,
        fact text NOT NULL,
        reason text NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, identity)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE duewatch_edge.quarantined_fact;
      DROP TABLE duewatch_edge.unanswered_write;
      DROP TABLE duewatch_edge.agent;
      DROP TABLE duewatch_edge.api_key`);
  }
}
