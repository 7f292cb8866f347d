// Pauses of dispatch.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Pauses1797000001000 implements MigrationInterface {
  readonly name = 'Pauses1797000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_read.pause (
        pause_hash uuid PRIMARY KEY,
        subject_hash uuid,
        ledger_offset bigint NOT NULL,
        event_index bigint NOT NULL,
        paused_at timestamptz NOT NULL,
        from_at timestamptz NOT NULL,
        until_at timestamptz NOT NULL,
        ended_at timestamptz,
        is_from_given boolean NOT NULL,
        tenant text COLLATE "C" NOT NULL,
        pause_id text COLLATE "C" NOT NULL,
        agent_id text COLLATE "C",
        kind text COLLATE "C",
        subject_type text COLLATE "C",
        subject_id text COLLATE "C",
        reason text COLLATE "C" NOT NULL,
        paused_by text COLLATE "C" NOT NULL,
        ended_by text COLLATE "C"
      );
      CREATE INDEX pause_by_position ON duewatch_read.pause (tenant, ledger_offset, event_index)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_read.pause');
  }
}
