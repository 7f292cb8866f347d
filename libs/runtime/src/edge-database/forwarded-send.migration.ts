// What the gateway sends on is noted before, so that a crash leaves nothing unwatched.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ForwardedSend1790000010000 implements MigrationInterface {
  readonly name = 'ForwardedSend1790000010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_edge.forwarded_send (
        number bigserial PRIMARY KEY,
        tenant text NOT NULL,
        agent_id text NOT NULL,
        message_id text,
        context_id text,
        task_id text,
        interface_path text NOT NULL,
        is_activated boolean NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT now(),
        look_at timestamptz NOT NULL,
        tries_count integer NOT NULL DEFAULT 0,
        ended_at timestamptz,
        outcome text
      );
      CREATE INDEX forwarded_send_look_at ON duewatch_edge.forwarded_send (look_at) WHERE ended_at IS NULL;
      CREATE INDEX forwarded_send_ended_at ON duewatch_edge.forwarded_send (ended_at) WHERE ended_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE duewatch_edge.forwarded_send');
  }
}
