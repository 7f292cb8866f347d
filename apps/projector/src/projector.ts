// Follows each partition of the ledger that is this process's into the read model. Of two on one partition one waits.
// It must never skip a record without parking it.
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type DataSource, QueryFailedError } from 'typeorm';
import type { EventLog, Served } from '#event-log';
import { READ_MODEL } from '#read-model';
import { CLOCK, type Clock, EVENT_LOG, isWorldFault } from '#runtime';
import { orEndProcess } from '#serving';
import { PartitionFollower } from './partition-follower.ts';

const leastDelayMs = 100;
const mostDelayMs = 10_000;

@Injectable()
export class Projector {
  private readonly logger = new Logger(Projector.name);

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL) private readonly readModel: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Takes up where the tables stand, until `signal` aborts; what is being folded then commits. Never rejects (`Serve`): a
   * bug ends the process.
   */
  async serve(partition: number, signal: AbortSignal): Promise<Served> {
    await orEndProcess(this.follow(partition, signal));
    return 'left';
  }

  private async follow(partition: number, signal: AbortSignal): Promise<void> {
    const follower = new PartitionFollower(this.log, this.readModel, this.clock, partition);
    let delayMs = leastDelayMs;
    while (!signal.aborted) {
      try {
        await follower.pass(signal);
        delayMs = leastDelayMs;
      } catch (error) {
        // What a query says may be of the server's making.
        if (!(error instanceof QueryFailedError) && !isWorldFault(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        this.logger.warn(`partition ${partition}: trying again in ${delayMs} ms: ${why}`);
        await this.clock.sleep(delayMs, signal);
        delayMs = Math.min(delayMs * 2, mostDelayMs);
      }
    }
  }
}
