// Of each partition, how often its rows have been taken over: whoever took them before changes none of them.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PartitionOwner1790000001000 implements MigrationInterface {
  readonly name = 'PartitionOwner1790000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_dispatch.ledger_position ADD COLUMN owner bigint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_dispatch.ledger_position DROP COLUMN owner');
  }
}
