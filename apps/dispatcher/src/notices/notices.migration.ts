// Notifications that wait for their sinks.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Notices1799000000000 implements MigrationInterface {
  readonly name = 'Notices1799000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.notice (
        seq bigserial PRIMARY KEY,
        partition int NOT NULL,
        tenant text NOT NULL,
        sink_id text NOT NULL,
        group_key text NOT NULL,
        about text NOT NULL,
        lapses text[] NOT NULL,
        more_count int NOT NULL,
        sealed boolean NOT NULL DEFAULT false,
        failures_count int NOT NULL DEFAULT 0,
        made_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX notice_gathering ON duewatch_dispatch.notice (group_key) WHERE NOT sealed;
      CREATE UNIQUE INDEX notice_sealed ON duewatch_dispatch.notice (group_key) WHERE sealed;
      CREATE INDEX notice_due ON duewatch_dispatch.notice (partition, due_at);
      CREATE TABLE duewatch_dispatch.notice_position (
        partition int PRIMARY KEY,
        next_offset bigint NOT NULL,
        since timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_dispatch.notice, duewatch_dispatch.notice_position');
  }
}
