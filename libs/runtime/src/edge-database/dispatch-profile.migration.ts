// How lapses are sent to each agent.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DispatchProfile1798000000000 implements MigrationInterface {
  readonly name = 'DispatchProfile1798000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.dispatch_profile (
        tenant text NOT NULL,
        identity bytea NOT NULL,
        dedupes text,
        rate_per_minute int,
        probe text,
        PRIMARY KEY (tenant, identity)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.dispatch_profile');
  }
}
