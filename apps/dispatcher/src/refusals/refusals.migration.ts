// Refusals that wait for their agents to be told, and the contexts in which some were.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Refusals1800000000000 implements MigrationInterface {
  readonly name = 'Refusals1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.refusal (
        seq bigserial PRIMARY KEY,
        partition int NOT NULL,
        ledger_offset bigint NOT NULL,
        event_index int NOT NULL,
        tenant_key text NOT NULL,
        agent_key text NOT NULL,
        kind_key text NOT NULL DEFAULT '',
        subject_key text NOT NULL DEFAULT '',
        context_key text NOT NULL,
        refused text NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        failures_count int NOT NULL DEFAULT 0,
        made_at timestamptz NOT NULL,
        next_at timestamptz NOT NULL,
        report text
      );
      CREATE UNIQUE INDEX refusal_place ON duewatch_dispatch.refusal (partition, ledger_offset, event_index);
      CREATE INDEX refusal_of_agent ON duewatch_dispatch.refusal (agent_key, seq);
      CREATE INDEX refusal_due ON duewatch_dispatch.refusal (partition, state, next_at);
      CREATE TABLE duewatch_dispatch.told_context (
        context_key text PRIMARY KEY,
        told_count int NOT NULL,
        task_keys text[] NOT NULL,
        told_at timestamptz NOT NULL
      );
      CREATE INDEX told_context_age ON duewatch_dispatch.told_context (told_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_dispatch.refusal, duewatch_dispatch.told_context');
  }
}
