// As whom a client answers a task by a message that was sent on: a look-up reports it as whoever forwarded it would have.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AnswerReporter1800000002000 implements MigrationInterface {
  readonly name = 'AnswerReporter1800000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_edge.forwarded_send ADD COLUMN answer_reporter text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE duewatch_edge.forwarded_send DROP COLUMN answer_reporter');
  }
}
