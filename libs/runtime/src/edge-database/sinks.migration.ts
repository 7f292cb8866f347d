// Where people are told of lapses.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sinks1799000000000 implements MigrationInterface {
  readonly name = 'Sinks1799000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.sink (
        tenant text NOT NULL,
        sink_id text NOT NULL,
        type text NOT NULL,
        origin text NOT NULL,
        rule text NOT NULL,
        is_signed boolean NOT NULL,
        address_sealed bytea NOT NULL,
        made_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        PRIMARY KEY (tenant, sink_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.sink');
  }
}
