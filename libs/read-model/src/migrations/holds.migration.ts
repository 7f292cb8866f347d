// Holds and parked inputs.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Holds1796000000000 implements MigrationInterface {
  readonly name = 'Holds1796000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_read.hold (
        partition bigint NOT NULL,
        ledger_offset bigint NOT NULL,
        event_index bigint NOT NULL,
        inbox_offset bigint NOT NULL,
        held_at timestamptz NOT NULL,
        released_at timestamptz,
        tenant text COLLATE "C",
        cause text COLLATE "C" NOT NULL,
        released_by text COLLATE "C",
        PRIMARY KEY (partition, ledger_offset, event_index)
      );
      CREATE TABLE duewatch_read.parked_input (
        partition bigint NOT NULL,
        inbox_offset bigint NOT NULL,
        parked_at timestamptz NOT NULL,
        tenant text COLLATE "C" NOT NULL,
        cause text COLLATE "C" NOT NULL,
        PRIMARY KEY (partition, inbox_offset)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_read.hold, duewatch_read.parked_input');
  }
}
