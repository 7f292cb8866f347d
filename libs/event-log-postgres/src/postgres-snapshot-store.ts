// Snapshots in tables beside the log. Chunks are written as they come; the snapshot's own row, last, makes them count.
import { Pool, type PoolClient } from 'pg';
import type { SnapshotStore, StoredSnapshot } from '#event-log';
import { toLogFault } from './log-fault.ts';

export class PostgresSnapshotStore implements SnapshotStore {
  private readonly pool: Pool;

  /** Beside a log that is open or was: its schema is there. `report` is told of lost idle connections. */
  constructor(databaseUrl: string, report: (fault: unknown) => void = () => undefined) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      application_name: 'duewatch-snapshots',
      max: 2,
      keepAlive: true,
    });
    this.pool.on('error', (error) => report(toLogFault(error)));
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  async save(partition: number, ledgerOffset: number, chunks: Iterable<Uint8Array>): Promise<void> {
    await this.guard(async () => {
      const save = await this.nextSave();
      let number = 0;
      for (const value of chunks) {
        await this.pool.query({
          name: 'snapshot-chunk',
          text: 'INSERT INTO duewatch_log.snapshot_chunk (partition, save, number, value) VALUES ($1, $2, $3, $4)',
          values: [partition, save, number, value],
        });
        number += 1;
      }
      await this.inTransaction((client) => finish(client, partition, save, ledgerOffset));
    });
  }

  async load(partition: number): Promise<StoredSnapshot | undefined> {
    return this.guard(async () => {
      const { rows } = await this.pool.query<{ save: string; ledger_offset: string }>(
        'SELECT save, ledger_offset FROM duewatch_log.snapshot WHERE partition = $1',
        [partition],
      );
      const row = rows[0];
      return row && { ledgerOffset: Number(row.ledger_offset), chunks: this.chunksOf(partition, row.save) };
    });
  }

  /** In order; throws where a newer snapshot has taken its place meanwhile. */
  private async *chunksOf(partition: number, save: string): AsyncGenerator<Uint8Array> {
    const count = await this.guard(() => this.countChunks(partition, save));
    for (let number = 0; number < count; number += 1)
      yield await this.guard(() => this.readChunk(partition, save, number));
  }

  private async countChunks(partition: number, save: string): Promise<number> {
    const { rows } = await this.pool.query<{ count: string }>(
      'SELECT count(*) FROM duewatch_log.snapshot_chunk WHERE partition = $1 AND save = $2',
      [partition, save],
    );
    return Number(rows[0]?.count ?? 0);
  }

  private async readChunk(partition: number, save: string, number: number): Promise<Uint8Array> {
    const { rows } = await this.pool.query<{ value: Buffer }>({
      name: 'snapshot-read',
      text: 'SELECT value FROM duewatch_log.snapshot_chunk WHERE partition = $1 AND save = $2 AND number = $3',
      values: [partition, save, number],
    });
    const row = rows[0];
    if (row === undefined) throw new Error(`a newer snapshot of partition ${partition} was saved while one was read`);
    return row.value;
  }

  private async nextSave(): Promise<string> {
    const { rows } = await this.pool.query<{ save: string }>(`SELECT nextval('duewatch_log.save') AS save`);
    return rows[0]?.save ?? '0';
  }

  private async inTransaction(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    let isBroken = true;
    try {
      await client.query('BEGIN');
      await work(client);
      await client.query('COMMIT');
      isBroken = false;
    } finally {
      client.release(isBroken);
    }
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toLogFault(error);
    }
  }
}

/** The newest wins, whoever saves last; what it replaces, and what a save cut short has left, goes. */
async function finish(client: PoolClient, partition: number, save: string, ledgerOffset: number): Promise<void> {
  await client.query(
    `INSERT INTO duewatch_log.snapshot AS kept (partition, save, ledger_offset) VALUES ($1, $2, $3)
     ON CONFLICT (partition) DO UPDATE SET save = excluded.save, ledger_offset = excluded.ledger_offset
     WHERE kept.ledger_offset < excluded.ledger_offset`,
    [partition, save, ledgerOffset],
  );
  await client.query(
    `DELETE FROM duewatch_log.snapshot_chunk AS chunk
     WHERE partition = $1 AND save <= $2
       AND save <> (SELECT kept.save FROM duewatch_log.snapshot AS kept WHERE kept.partition = $1)`,
    [partition, save],
  );
}
