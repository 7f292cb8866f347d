// Pauses, the settle time of skipped lapses, and by what a lapse is found under a pause.
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { ExpectationLapsed } from '#expectations';
import { kindKeyOf, subjectKeyOf, tenantKeyOf } from './lapse-key.ts';

const rowsAtOnce = 1_000;

export class Holds1797000000000 implements MigrationInterface {
  readonly name = 'Holds1797000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE duewatch_dispatch.pause (
        pause_key text PRIMARY KEY,
        tenant_key text NOT NULL,
        agent_key text,
        kind_key text,
        subject_key text,
        from_at timestamptz NOT NULL,
        until_at timestamptz NOT NULL
      );
      CREATE INDEX pause_in_force ON duewatch_dispatch.pause (tenant_key, until_at);
      CREATE TABLE duewatch_dispatch.settle_time (
        scope_key text PRIMARY KEY,
        duration text NOT NULL
      );
      ALTER TABLE duewatch_dispatch.outbox ADD COLUMN tenant_key text, ADD COLUMN kind_key text, ADD COLUMN subject_key text`);
    await fillKeys(runner);
    await runner.query(`
      ALTER TABLE duewatch_dispatch.outbox
        ALTER COLUMN tenant_key SET NOT NULL, ALTER COLUMN kind_key SET NOT NULL, ALTER COLUMN subject_key SET NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE duewatch_dispatch.pause, duewatch_dispatch.settle_time;
      ALTER TABLE duewatch_dispatch.outbox DROP COLUMN tenant_key, DROP COLUMN kind_key, DROP COLUMN subject_key`);
  }
}

/** Of what waits already, page by page: hashes that only this program makes. */
async function fillKeys(runner: QueryRunner): Promise<void> {
  for (let after = '-1'; ;) {
    const rows = (await runner.query(
      'SELECT seq, lapsed FROM duewatch_dispatch.outbox WHERE seq > $1 ORDER BY seq LIMIT $2',
      [after, rowsAtOnce],
    )) as { seq: string; lapsed: string }[];
    const last = rows.at(-1);
    if (last === undefined) return;
    const kept = rows.map(({ lapsed }) => JSON.parse(lapsed) as { tenant: string; event: ExpectationLapsed });
    await runner.query(
      `UPDATE duewatch_dispatch.outbox AS row
       SET tenant_key = keys.tenant_key, kind_key = keys.kind_key, subject_key = keys.subject_key
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS keys (seq, tenant_key, kind_key, subject_key)
       WHERE row.seq = keys.seq`,
      [
        rows.map(({ seq }) => seq),
        kept.map(({ tenant }) => tenantKeyOf(tenant)),
        kept.map(({ tenant, event }) => kindKeyOf(tenant, event.lapse.kind)),
        kept.map(({ tenant, event }) => subjectKeyOf(tenant, event.lapse.subject)),
      ],
    );
    after = last.seq;
  }
}
