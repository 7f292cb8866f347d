// The dispatcher's first tables.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DispatchTables1790000000000 implements MigrationInterface {
  readonly name = 'DispatchTables1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.outbox (
        lapse_key text PRIMARY KEY,
        seq bigserial NOT NULL,
        agent_key text NOT NULL,
        partition int NOT NULL,
        lapsed text NOT NULL,
        state text NOT NULL,
        attempt int NOT NULL,
        next_at timestamptz NOT NULL,
        last_outcome text,
        closed boolean NOT NULL,
        report text
      );
      CREATE INDEX outbox_waiting ON duewatch_dispatch.outbox (agent_key, seq)
        WHERE state IN ('pending', 'asked', 'ready', 'sending', 'unknown');
      CREATE INDEX outbox_parked ON duewatch_dispatch.outbox (agent_key) WHERE state = 'parked';
      CREATE INDEX outbox_report ON duewatch_dispatch.outbox (seq) WHERE report IS NOT NULL;
      CREATE TABLE duewatch_dispatch.ledger_position (
        partition int PRIMARY KEY,
        next_offset bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_dispatch.outbox; DROP TABLE duewatch_dispatch.ledger_position');
  }
}
