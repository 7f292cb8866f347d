// The host's first tables.
import type { MigrationInterface, QueryRunner } from 'typeorm';

// Ids are ordered by their bytes, as JavaScript orders them.
const tables = `
  CREATE TABLE duewatch_host.task (
    application text NOT NULL,
    user_name text NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    context_id text NOT NULL,
    state int NOT NULL,
    status_at timestamptz NOT NULL,
    version int NOT NULL,
    snapshot text NOT NULL,
    snapshot_version int NOT NULL,
    epoch int NOT NULL,
    owner text,
    lease_until timestamptz,
    is_cancel_asked boolean NOT NULL DEFAULT false,
    once_key text,
    request_hash text,
    PRIMARY KEY (application, user_name, task_id)
  );
  CREATE INDEX task_listed ON duewatch_host.task (application, user_name, status_at DESC, task_id DESC);
  CREATE INDEX task_run ON duewatch_host.task (application, lease_until) WHERE owner IS NOT NULL;
  CREATE UNIQUE INDEX task_once ON duewatch_host.task (application, user_name, once_key) WHERE once_key IS NOT NULL;
  CREATE TABLE duewatch_host.task_event (
    application text NOT NULL,
    user_name text NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    version int NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (application, user_name, task_id, version)
  );
  CREATE TABLE duewatch_host.session (
    application text NOT NULL,
    user_name text NOT NULL,
    context_id text NOT NULL,
    version int NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (application, user_name, context_id)
  );
  CREATE TABLE duewatch_host.work (
    application text NOT NULL,
    user_name text NOT NULL,
    task_id text NOT NULL,
    name text NOT NULL,
    payload text,
    state text NOT NULL,
    asked_by text NOT NULL,
    result text,
    stage text NOT NULL DEFAULT 'waiting',
    epoch int NOT NULL DEFAULT 0,
    owner text,
    lease_until timestamptz,
    is_void boolean NOT NULL DEFAULT false,
    seq bigserial NOT NULL,
    PRIMARY KEY (application, user_name, task_id)
  );
  CREATE INDEX work_waiting ON duewatch_host.work (application, seq);
  CREATE TABLE duewatch_host.push (
    application text NOT NULL,
    user_name text NOT NULL,
    task_id text NOT NULL,
    config_id text NOT NULL,
    config bytea NOT NULL,
    told_version int NOT NULL,
    failures_count int NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL,
    is_done boolean NOT NULL DEFAULT false,
    PRIMARY KEY (application, user_name, task_id, config_id)
  );
  CREATE INDEX push_due ON duewatch_host.push (application, next_at) WHERE NOT is_done`;

export class HostTables1800000000000 implements MigrationInterface {
  readonly name = 'HostTables1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['push', 'work', 'session', 'task_event', 'task']) {
      await runner.query(`DROP TABLE duewatch_host.${table}`);
    }
  }
}
