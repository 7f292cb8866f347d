// Holds the watcher's transactions at a named point, from a second connection to its database, so that it can be killed
// there. What it installs does nothing once it is let go.
import type { Client } from 'pg';
import { until, type Watcher } from './watcher.ts';

const tables = ['inbox', 'ledger', 'snapshot_chunk', 'snapshot'] as const;
type Table = (typeof tables)[number];

/** Of two halves: what was installed for one table must not hold who writes another. */
const half = 0x686f6c64;
const lockOf = (table: Table): string => `${half}, ${tables.indexOf(table)}`;

export class Hold {
  private constructor(
    readonly client: Client,
    private readonly watcher: Watcher,
  ) {}

  static async connect(watcher: Watcher): Promise<Hold> {
    return new Hold(await watcher.connect(), watcher);
  }

  /** Whoever has inserted into the table, and commits next, is held; `nth` counts, from 1, statements of `leastBytes`. */
  async beforeCommit(table: Table, { leastBytes = 0, nth = 1 } = {}, timeoutMs?: number): Promise<void> {
    const value = table === 'snapshot' ? `''` : 'value';
    await this.client.query(`
      CREATE SCHEMA IF NOT EXISTS hold;
      CREATE SEQUENCE IF NOT EXISTS hold.large;
      SELECT setval('hold.large', 1, false);
      CREATE OR REPLACE FUNCTION hold.before_commit_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT sum(octet_length(${value})) FROM inserted) < ${leastBytes} THEN RETURN NULL; END IF;
        IF nextval('hold.large') < ${nth} THEN RETURN NULL; END IF;
        PERFORM pg_advisory_xact_lock_shared(${lockOf(table)});
        RETURN NULL;
      END $$;
      CREATE OR REPLACE TRIGGER hold AFTER INSERT ON duewatch_log.${table}
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION hold.before_commit_of_${table}()`);
    await this.client.query(`SELECT pg_advisory_lock(${lockOf(table)})`);
    await this.waited('advisory', timeoutMs);
  }

  /** What is appended stays undecided: nobody can write a ledger. */
  async afterAppend(): Promise<void> {
    await this.client.query('BEGIN');
    await this.client.query(`SELECT FROM duewatch_log.head WHERE topic = 'ledger' FOR UPDATE`);
    const inboxEnds = `SELECT sum(end_offset) AS sum FROM duewatch_log.head WHERE topic = 'inbox'`;
    const before = await this.client.query<{ sum: string }>(inboxEnds);
    await this.waited('transactionid');
    await until(async () => {
      const { rows } = await this.client.query<{ sum: string }>(inboxEnds);
      return Number(rows[0]?.sum) > Number(before.rows[0]?.sum);
    });
  }

  /** What is decided is committed, and nobody is told: who has written it stands still since before that. */
  async afterCommit(): Promise<void> {
    await this.beforeCommit('ledger');
    const ledgerEnds = `SELECT sum(end_offset) AS sum FROM duewatch_log.head WHERE topic = 'ledger'`;
    const before = await this.client.query<{ sum: string }>(ledgerEnds);
    this.watcher.standStill();
    await this.client.query('SELECT pg_advisory_unlock_all()');
    await until(async () => {
      const { rows } = await this.client.query<{ sum: string }>(ledgerEnds);
      return Number(rows[0]?.sum) > Number(before.rows[0]?.sum);
    });
  }

  /** Lets what was held commit; more can be held afterwards. */
  async goOn(): Promise<void> {
    await this.client.query('SELECT pg_advisory_unlock_all()');
    await until(async () => {
      const { rowCount } = await this.client.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${half}`,
      );
      return rowCount === 0;
    });
  }

  /** Lets everything go on, where the server still lives. */
  async release(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  /** Waits until somebody waits for such a lock. */
  private async waited(kind: 'advisory' | 'transactionid', timeoutMs?: number): Promise<void> {
    await until(async () => {
      const { rowCount } = await this.client.query('SELECT FROM pg_locks WHERE NOT granted AND locktype = $1 LIMIT 1', [
        kind,
      ]);
      return rowCount === 1;
    }, timeoutMs);
  }
}
