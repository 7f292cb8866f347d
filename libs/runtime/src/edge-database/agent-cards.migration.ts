// Agents' cards are read again: what is known of each reading, and the versions that were read.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentCards1790000003500 implements MigrationInterface {
  readonly name = 'AgentCards1790000003500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.agent_card (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        version integer NOT NULL,
        card text NOT NULL,
        declaration text NOT NULL,
        findings text NOT NULL,
        changes text NOT NULL,
        etag text,
        read_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, identity, version)
      );
      CREATE TABLE duewatch_edge.card_reading (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        version integer NOT NULL,
        etag text,
        read_at timestamptz NOT NULL DEFAULT now(),
        next_read_at timestamptz NOT NULL DEFAULT now(),
        revision bigint NOT NULL,
        claimed_until timestamptz,
        untold boolean NOT NULL DEFAULT false,
        failures_count integer NOT NULL DEFAULT 0,
        problem text,
        failed_at timestamptz,
        PRIMARY KEY (tenant, identity)
      );
      CREATE INDEX card_reading_next_read_at ON duewatch_edge.card_reading (next_read_at);
      CREATE INDEX card_reading_of_tenant ON duewatch_edge.card_reading (tenant, next_read_at);
      INSERT INTO duewatch_edge.agent_card (tenant, identity, version, card, declaration, findings, changes, read_at)
        SELECT tenant, identity, 1, card, declaration, findings, 'null', updated_at FROM duewatch_edge.agent;
      INSERT INTO duewatch_edge.card_reading (tenant, identity, version, revision, read_at, next_read_at)
        SELECT tenant, identity, 1, 1, updated_at, now() + interval '15 minutes' * random() FROM duewatch_edge.agent`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE duewatch_edge.card_reading;
      DROP TABLE duewatch_edge.agent_card`);
  }
}
