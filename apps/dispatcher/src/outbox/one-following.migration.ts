// Outbox and notices followed the ledger apart, each with a position of its own; from here on there is one. It begins at
// the one that is behind, and what the other has already is left out of it. A dispatcher of before changes nothing any
// more: what it owned is taken from it, and `since` keeps it from taking anything over.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OneFollowing1799000001000 implements MigrationInterface {
  readonly name = 'OneFollowing1799000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE duewatch_dispatch.ledger_position
        ADD COLUMN outbox_from bigint NOT NULL DEFAULT 0, ADD COLUMN notices_from bigint NOT NULL DEFAULT 0,
        ADD COLUMN since timestamptz;
      UPDATE duewatch_dispatch.ledger_position AS own
      SET outbox_from = own.next_offset, notices_from = coalesce(told.next_offset, own.next_offset),
        next_offset = least(own.next_offset, told.next_offset), since = coalesce(told.since, now() - interval '1 hour'),
        owner = own.owner + 1
      FROM duewatch_dispatch.ledger_position AS every LEFT JOIN duewatch_dispatch.notice_position AS told USING (partition)
      WHERE own.partition = every.partition;
      ALTER TABLE duewatch_dispatch.ledger_position ALTER COLUMN since SET NOT NULL;
      DROP TABLE duewatch_dispatch.notice_position`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.notice_position (
        partition int PRIMARY KEY,
        next_offset bigint NOT NULL,
        since timestamptz NOT NULL
      );
      INSERT INTO duewatch_dispatch.notice_position (partition, next_offset, since)
        SELECT partition, greatest(next_offset, notices_from), since FROM duewatch_dispatch.ledger_position;
      UPDATE duewatch_dispatch.ledger_position
        SET next_offset = greatest(next_offset, outbox_from), owner = owner + 1;
      ALTER TABLE duewatch_dispatch.ledger_position DROP COLUMN outbox_from, DROP COLUMN notices_from, DROP COLUMN since`);
  }
}
