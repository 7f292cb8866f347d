// Tasks that agents have made of being told are found by themselves: an agent may make them in a context of its own.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ToldTasks1801000000000 implements MigrationInterface {
  readonly name = 'ToldTasks1801000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      INSERT INTO duewatch_dispatch.told_context (context_key, told_count, task_keys, told_at)
      SELECT DISTINCT ON (task_key) task_key, 0, '{}', told_at
      FROM duewatch_dispatch.told_context, unnest(task_keys) AS task_key ORDER BY task_key, told_at DESC
      ON CONFLICT (context_key) DO NOTHING;
      ALTER TABLE duewatch_dispatch.told_context DROP COLUMN task_keys`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE duewatch_dispatch.told_context ADD COLUMN task_keys text[] NOT NULL DEFAULT '{}'`);
  }
}
