// Whose a partition's rows are, and how far its ledger is in them: one row, which whoever changes them asks or moves.
// It must never let two change the rows, nor the position stand for what is not in them.
import assert from 'node:assert/strict';
import type { DataSource, EntityManager } from 'typeorm';
import { LedgerPosition } from './ledger-position.entity.ts';

/** Another dispatcher has taken the partition's rows over; this one changes none of them any more. */
export class OutboxFencedError extends Error {
  override readonly name = 'OutboxFencedError';
  readonly retryable = false;
}

/** A run was written already, by a transaction of which nobody heard how it ended: the position says from where on to read. */
export class RunWrittenError extends Error {
  override readonly name = 'RunWrittenError';
  readonly retryable = true;
}

/** True of a row's partition ($1) while its rows are still that owner's ($2). */
export const isOwned = `EXISTS (SELECT FROM duewatch_dispatch.ledger_position AS own WHERE own.partition = $1 AND own.owner = $2)`;

/** How far a ledger is in the tables. */
export interface Followed {
  /** The next ledger offset to be read. */
  readonly nextOffset: number;
  /** What stands before is in the outbox, though it is read (again). */
  readonly outboxFrom: number;
  /** What stands before was announced, though it is read (again). */
  readonly noticesFrom: number;
  /** What lapsed before is announced to nobody: it was already, or it is old. */
  readonly since: Date;
}

export class PartitionOwnership {
  private readonly database: DataSource;
  private readonly partition: number;
  private owner: string | undefined;

  constructor(database: DataSource, partition: number) {
    this.database = database;
    this.partition = partition;
  }

  /** Makes the partition's rows this one's, and nobody else's. `since`: of a ledger that was never followed. */
  async takeOver(since: Date): Promise<void> {
    const [taken] = await this.database.query<{ owner: string }[]>(
      `INSERT INTO duewatch_dispatch.ledger_position AS own (partition, next_offset, owner, since) VALUES ($1, 0, 1, $2)
       ON CONFLICT (partition) DO UPDATE SET owner = own.owner + 1 RETURNING owner`,
      [this.partition, since],
    );
    this.owner = taken?.owner;
  }

  get isTaken(): boolean {
    return this.owner !== undefined;
  }

  /** Partition and owner, as statements name them. */
  get own(): [partition: number, owner: string] {
    assert(this.owner !== undefined, 'the rows are taken over before anything else is done');
    return [this.partition, this.owner];
  }

  async followed(): Promise<Followed> {
    const { partition } = this;
    const found = await this.database.getRepository(LedgerPosition).findOneBy({ partition });
    if (found === null) throw this.fenced();
    const { nextOffset, outboxFrom, noticesFrom, since } = found;
    return {
      nextOffset: Number(nextOffset),
      outboxFrom: Number(outboxFrom),
      noticesFrom: Number(noticesFrom),
      since,
    };
  }

  /** In a transaction the rows, and what else goes with the partition, stay this one's to its end; `moveTo` waits for that. */
  async assertOwned(manager: EntityManager): Promise<void> {
    const found = await manager.query<unknown[]>(
      'SELECT FROM duewatch_dispatch.ledger_position WHERE partition = $1 AND owner = $2 FOR SHARE',
      this.own,
    );
    if (found.length === 0) throw this.fenced();
  }

  /**
   * Of two who move the position at once one waits here, and then finds whose the rows are. From past `mostBefore` it is
   * not moved: `RunWrittenError`.
   */
  async moveTo(manager: EntityManager, nextOffset: number, mostBefore?: number): Promise<void> {
    const [, affected] = await manager.query<[unknown, number]>(
      `UPDATE duewatch_dispatch.ledger_position SET next_offset = $3
       WHERE partition = $1 AND owner = $2 AND ($4::bigint IS NULL OR next_offset <= $4)`,
      [...this.own, nextOffset, mostBefore],
    );
    if (affected > 0) return;
    await this.assertOwned(manager);
    throw new RunWrittenError('the position is past the run');
  }

  private fenced(): OutboxFencedError {
    return new OutboxFencedError('another dispatcher has taken it over');
  }
}
