// One question sees one state of the tables, and takes a bounded while.
import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { type EventLog, partitionOf } from '#event-log';
import type { InstantText } from '#expectations';
import { PositionRow, READ_MODEL_FOR_QUESTIONS } from '#read-model';
import { CLOCK, type Clock, EVENT_LOG, Problem, TenantTurns } from '#runtime';

const mostMs = 10_000;

/** What a question is answered from. */
export interface Snapshot {
  readonly manager: EntityManager;
  readonly tenant: string;
  /** The log's last instant: what can never lapse is judged at it. Null before the first. */
  readonly asOf: InstantText | null;
  /** By this process's clock, in epoch milliseconds: pauses begin and end by it, as for who dispatches by its own. */
  readonly nowMs: number;
}

@Injectable()
export class Snapshots {
  /** A question may take seconds of a processor: one tenant's leave room for another's. */
  private readonly turns = new TenantTurns({ running: 2, waiting: 50 });

  constructor(
    @Inject(READ_MODEL_FOR_QUESTIONS) private readonly readModel: DataSource,
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` where the answer takes too long to find, or too many of the tenant's questions wait. */
  read<Answer>(tenant: string, question: (snapshot: Snapshot) => Promise<Answer>): Promise<Answer> {
    return this.turns.within(tenant, () => this.ask(tenant, question));
  }

  private async ask<Answer>(tenant: string, question: (snapshot: Snapshot) => Promise<Answer>): Promise<Answer> {
    const partition = partitionOf(tenant, this.log.partitionCount);
    try {
      return await this.readModel.transaction('REPEATABLE READ', async (manager) => {
        await manager.query(`SET TRANSACTION READ ONLY; SET LOCAL statement_timeout = ${mostMs}`);
        const position = await manager.findOneBy(PositionRow, { partition });
        return await question({ manager, tenant, asOf: position?.logInstant ?? null, nowMs: this.clock.now() });
      });
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      throw new Problem(
        'malformed-request',
        `it takes more than ${mostMs} ms to answer: ask for less, e.g. of one subject`,
        {},
        { cause: error },
      );
    }
  }
}

function isTooSlow(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: unknown }).code === '57014';
}
