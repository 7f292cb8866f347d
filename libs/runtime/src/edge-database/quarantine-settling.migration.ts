// What is quarantined is listed in an order, and released or discarded by somebody.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class QuarantineSettling1790000002000 implements MigrationInterface {
  readonly name = 'QuarantineSettling1790000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_edge.quarantined_fact
        ADD COLUMN number bigserial NOT NULL,
        ADD COLUMN state text NOT NULL DEFAULT 'quarantined',
        ADD COLUMN settled_at timestamptz,
        ADD COLUMN settled_by text,
        ADD COLUMN position text,
        ADD COLUMN discard_reason text;
      CREATE INDEX quarantined_fact_state ON duewatch_edge.quarantined_fact (tenant, state, number);
      CREATE INDEX quarantined_fact_settled_at ON duewatch_edge.quarantined_fact (settled_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM duewatch_edge.quarantined_fact WHERE state IN ('released', 'discarded');
      DROP INDEX duewatch_edge.quarantined_fact_settled_at;
      DROP INDEX duewatch_edge.quarantined_fact_state;
      ALTER TABLE duewatch_edge.quarantined_fact
        DROP COLUMN number, DROP COLUMN state, DROP COLUMN settled_at, DROP COLUMN settled_by,
        DROP COLUMN position, DROP COLUMN discard_reason`);
  }
}
