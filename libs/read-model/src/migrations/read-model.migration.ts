// The first tables of the read model. Fixed-width columns come first: rows are narrower so.
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ReadModel1790000000000 implements MigrationInterface {
  readonly name = 'ReadModel1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(expectation);
    await runner.query(lapse);
    await runner.query(fact);
    await runner.query(others);
    await runner.query(positions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE duewatch_read.expectation, duewatch_read.open_expectation, duewatch_read.lapse, duewatch_read.fact, duewatch_read.fact_subject,
        duewatch_read.refusal, duewatch_read.task, duewatch_read.declaration, duewatch_read.setting,
        duewatch_read.position, duewatch_read.parked_record`);
  }
}

// Closing an expectation rewrites its row: room is left beside it, and what was raised stays where it is (TOAST).
const expectation = `
  CREATE TABLE duewatch_read.expectation (
    expectation_hash uuid NOT NULL,
    occurrence bigint NOT NULL,
    ledger_offset bigint NOT NULL,
    event_index bigint NOT NULL,
    recorded_at timestamptz NOT NULL,
    projected_due_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    subject_hash uuid NOT NULL,
    lineage bigint NOT NULL,
    horizon timestamptz,
    reanchored_at timestamptz,
    satisfied_at timestamptz,
    observed_at timestamptz,
    fact_number bigint,
    withdrawn_at timestamptz,
    question boolean NOT NULL,
    suspended boolean NOT NULL,
    late boolean,
    reported_late boolean,
    status text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    expectation_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    subject_type text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    expects text COLLATE "C" NOT NULL,
    fact_key text COLLATE "C" NOT NULL,
    basis text COLLATE "C" NOT NULL,
    grace text COLLATE "C" NOT NULL,
    anchor text COLLATE "C",
    after text COLLATE "C" NOT NULL,
    supersedes text COLLATE "C",
    warnings text COLLATE "C" NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    raised text COLLATE "C" NOT NULL,
    source text COLLATE "C",
    how text COLLATE "C",
    withdrawn text COLLATE "C",
    reason text COLLATE "C",
    superseded_by text COLLATE "C",
    PRIMARY KEY (expectation_hash, occurrence)
  ) WITH (fillfactor = 70, toast_tuple_target = 256);
  ALTER TABLE duewatch_read.expectation ALTER COLUMN raised SET STORAGE EXTERNAL;
  CREATE INDEX expectation_by_position ON duewatch_read.expectation (tenant, ledger_offset, event_index);
  CREATE INDEX expectation_by_subject ON duewatch_read.expectation (subject_hash);
  CREATE TABLE duewatch_read.open_expectation (
    expectation_hash uuid PRIMARY KEY,
    occurrence bigint NOT NULL,
    ledger_offset bigint NOT NULL,
    event_index bigint NOT NULL,
    due_at timestamptz NOT NULL,
    suspended boolean NOT NULL,
    lapsed boolean NOT NULL,
    tenant text COLLATE "C" NOT NULL
  );
  CREATE INDEX open_expectation_by_due
    ON duewatch_read.open_expectation (tenant, due_at, ledger_offset, event_index);
  CREATE INDEX open_expectation_by_position ON duewatch_read.open_expectation (tenant, ledger_offset, event_index);
  CREATE INDEX open_expectation_suspended
    ON duewatch_read.open_expectation (tenant, ledger_offset, event_index) WHERE suspended;
  CREATE INDEX open_expectation_lapsed
    ON duewatch_read.open_expectation (tenant, ledger_offset, event_index) WHERE lapsed`;

const lapse = `
  CREATE TABLE duewatch_read.lapse (
    expectation_hash uuid NOT NULL,
    occurrence bigint NOT NULL,
    ledger_offset bigint NOT NULL,
    event_index bigint NOT NULL,
    lapsed_at timestamptz NOT NULL,
    dispatch_changed_at timestamptz NOT NULL,
    attempts bigint NOT NULL,
    subject_hash uuid NOT NULL,
    dispatch_task_hash uuid,
    self_timed boolean NOT NULL,
    lapse text COLLATE "C" NOT NULL,
    dispatch_state text COLLATE "C" NOT NULL,
    outcome text COLLATE "C",
    tenant text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    expectation_id text COLLATE "C" NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    message_id text COLLATE "C" NOT NULL,
    block text COLLATE "C" NOT NULL,
    dispatch_task_id text COLLATE "C",
    cause text COLLATE "C",
    PRIMARY KEY (expectation_hash, occurrence, lapse)
  );
  CREATE INDEX lapse_by_position ON duewatch_read.lapse (tenant, ledger_offset, event_index);
  CREATE INDEX lapse_by_subject ON duewatch_read.lapse (subject_hash);
  CREATE INDEX lapse_by_dispatch_task ON duewatch_read.lapse (dispatch_task_hash) WHERE dispatch_task_hash IS NOT NULL`;

const fact = `
  CREATE TABLE duewatch_read.fact (
    fact_number bigint NOT NULL,
    ledger_offset bigint NOT NULL,
    observed_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    reporter text COLLATE "C" NOT NULL,
    fact_key text COLLATE "C" NOT NULL,
    subjects text COLLATE "C" NOT NULL,
    fact text COLLATE "C" NOT NULL,
    satisfied text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, fact_number)
  );
  CREATE TABLE duewatch_read.fact_subject (
    subject_hash uuid NOT NULL,
    fact_number bigint NOT NULL,
    PRIMARY KEY (subject_hash, fact_number)
  )`;

const others = `
  CREATE TABLE duewatch_read.refusal (
    ledger_offset bigint NOT NULL,
    event_index bigint NOT NULL,
    refused_at timestamptz NOT NULL,
    refused text COLLATE "C" NOT NULL,
    code text COLLATE "C" NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    message text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C",
    expectation_id text COLLATE "C",
    task_id text COLLATE "C",
    reporter text COLLATE "C",
    fact_key text COLLATE "C",
    PRIMARY KEY (tenant, ledger_offset, event_index)
  );
  CREATE TABLE duewatch_read.task (
    task_hash uuid PRIMARY KEY,
    applied_at timestamptz NOT NULL,
    status_at timestamptz,
    tenant text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    task_id text COLLATE "C" NOT NULL,
    context_id text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL
  );
  CREATE TABLE duewatch_read.declaration (
    agent_hash uuid PRIMARY KEY,
    declared_at timestamptz NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    params text COLLATE "C"
  );
  CREATE TABLE duewatch_read.setting (
    scope_hash uuid PRIMARY KEY,
    configured_at timestamptz NOT NULL,
    tenant text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C",
    settings jsonb NOT NULL
  )`;

const positions = `
  CREATE TABLE duewatch_read.position (
    partition bigint PRIMARY KEY,
    ledger_offset bigint NOT NULL,
    inbox_offset bigint NOT NULL,
    event_count bigint NOT NULL,
    complete boolean NOT NULL,
    log_instant timestamptz
  );
  CREATE TABLE duewatch_read.parked_record (
    partition bigint NOT NULL,
    ledger_offset bigint NOT NULL,
    reason text NOT NULL,
    head bytea NOT NULL,
    PRIMARY KEY (partition, ledger_offset)
  )`;
