// Alerts that sinks hold, so that their ends can be told.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Alerts1799000002000 implements MigrationInterface {
  readonly name = 'Alerts1799000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.alert (
        tenant text NOT NULL,
        sink_id text NOT NULL,
        lapse_key text NOT NULL,
        partition int NOT NULL,
        expectation_key text NOT NULL,
        group_key text NOT NULL,
        lapse text NOT NULL,
        ends_at timestamptz NOT NULL,
        closed_at timestamptz,
        PRIMARY KEY (tenant, sink_id, lapse_key)
      );
      CREATE INDEX alert_expectation ON duewatch_dispatch.alert (expectation_key);
      CREATE INDEX alert_closed ON duewatch_dispatch.alert (group_key, closed_at) WHERE closed_at IS NOT NULL;
      CREATE INDEX alert_end ON duewatch_dispatch.alert (partition, ends_at);
      ALTER TABLE duewatch_dispatch.notice ADD COLUMN closings text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE duewatch_dispatch.alert;
      ALTER TABLE duewatch_dispatch.notice DROP COLUMN closings`);
  }
}
