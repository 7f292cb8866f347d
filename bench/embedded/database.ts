// What the watcher's own PostgreSQL tells of the log and the read model, asked beside it.
import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import type { LedgerEntry } from '#event-log';

/** A lapse in the ledger, in epoch milliseconds. */
export interface FoundLapse {
  readonly dueAt: number;
  /** By the log's clock, before the commit. */
  readonly appendedAt: number;
  /** When another process was told that it is there. */
  readonly heardAt: number;
}

interface Heard {
  readonly partition: number;
  readonly end: number;
  readonly at: number;
}

export class Database {
  private heard: Heard[] = [];
  private listener: Client | undefined;

  private constructor(
    private readonly url: string,
    private readonly client: Client,
  ) {}

  static async connect(url: string): Promise<Database> {
    return new Database(url, await connected(new Client({ connectionString: url })));
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async ledgerEnd(partition: number): Promise<number> {
    const { rows } = await this.client.query<{ end_offset: string }>(
      `SELECT end_offset FROM duewatch_log.head WHERE topic = 'ledger' AND partition = $1`,
      [partition],
    );
    return Number(rows[0]?.end_offset);
  }

  /** Records of the ledger that the read model does not show yet. */
  async lagRecords(): Promise<number> {
    const { rows } = await this.client.query<{ lag: string }>(
      `SELECT sum(head.end_offset - 1 - coalesce(position.ledger_offset, -1)) AS lag
         FROM duewatch_log.head LEFT JOIN duewatch_read.position USING (partition) WHERE topic = 'ledger'`,
    );
    return Number(rows[0]?.lag);
  }

  /** Resolves, to the seconds it took, once the read model shows all that is in the ledger. */
  async caughtUp(): Promise<number> {
    const startedAt = performance.now();
    while ((await this.lagRecords()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    return (performance.now() - startedAt) / 1_000;
  }

  async openCount(): Promise<number> {
    const { rows } = await this.client.query<{ count: string }>('SELECT count(*) FROM duewatch_read.open_expectation');
    return Number(rows[0]?.count);
  }

  /** How many partitions have a snapshot, and how many records of the ledger none has. */
  async snapshots(): Promise<{ readonly count: number; readonly tailRecords: number }> {
    const { rows } = await this.client.query<{ count: string; tail: string }>(
      `SELECT count(snapshot.save) AS count, sum(head.end_offset - 1 - coalesce(snapshot.ledger_offset, -1)) AS tail
         FROM duewatch_log.head LEFT JOIN duewatch_log.snapshot USING (partition) WHERE topic = 'ledger'`,
    );
    return { count: Number(rows[0]?.count), tailRecords: Number(rows[0]?.tail) };
  }

  /** From now on it is noted when an append to the ledger was told of. The watcher knows within a second to tell. */
  async listen(): Promise<void> {
    this.heard = [];
    // Called what the log's own listeners are.
    const listener = new Client({ connectionString: this.url, application_name: 'duewatch-log-listen' });
    listener.on('notification', ({ payload = '' }) => {
      const match = /^ledger (\d+) (\d+)$/.exec(payload);
      const at = performance.timeOrigin + performance.now();
      if (match !== null) this.heard.push({ partition: Number(match[1]), end: Number(match[2]), at });
    });
    this.listener = await connected(listener);
    await listener.query('LISTEN duewatch_log');
  }

  /** All lapses that the partition's ledger has from that offset on. */
  async lapsesFrom(partition: number, offset: number): Promise<readonly FoundLapse[]> {
    await this.listener?.end();
    const heard = this.heard.filter((one) => one.partition === partition).sort((one, other) => one.end - other.end);
    const found: FoundLapse[] = [];
    let next = 0;
    for (let from = offset; ;) {
      const { rows } = await this.client.query<{ record_offset: string; appended_at: string; value: Buffer }>(
        `SELECT record_offset, appended_at, value FROM duewatch_log.ledger
          WHERE partition = $1 AND record_offset >= $2 ORDER BY record_offset LIMIT 200`,
        [partition, from],
      );
      for (const row of rows) {
        from = Number(row.record_offset) + 1;
        while ((heard[next]?.end ?? Infinity) < from) next += 1;
        const { events = [] } = JSON.parse(row.value.toString()) as Partial<LedgerEntry>;
        const at = { appendedAt: Number(row.appended_at), heardAt: heard[next]?.at ?? NaN };
        for (const event of events) {
          if (event.type === 'expectationLapsed') found.push({ dueAt: Date.parse(event.lapse.dueAt), ...at });
        }
      }
      if (rows.length === 0) return found;
    }
  }
}

async function connected(client: Client): Promise<Client> {
  // A watcher that is killed takes its server's sessions with it; whoever asks next is told.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
