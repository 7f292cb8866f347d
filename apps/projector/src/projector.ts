// Follows every partition of the ledger into the read model. Any number may run: of two on one partition one waits.
// It must never skip a record without parking it.
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type DataSource, QueryFailedError } from 'typeorm';
import type { EventLog } from '#event-log';
import { READ_MODEL } from '#read-model';
import { CLOCK, type Clock, EVENT_LOG, isStorageDown } from '#runtime';
import { PartitionFollower } from './partition-follower.ts';

const leastDelayMs = 100;
const mostDelayMs = 10_000;

@Injectable()
export class Projector implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Projector.name);
  private readonly stopping = new AbortController();
  private running: readonly Promise<void>[] = [];

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL) private readonly readModel: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Takes up where the tables stand. A bug ends the process. */
  onApplicationBootstrap(): void {
    this.running = Array.from({ length: this.log.partitionCount }, (_, partition) => this.follow(partition));
  }

  /** Ends the waits, lets the batches under way commit. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async follow(partition: number): Promise<void> {
    const { signal } = this.stopping;
    const follower = new PartitionFollower(this.log, this.readModel, this.clock, partition);
    let delayMs = leastDelayMs;
    while (!signal.aborted) {
      try {
        await follower.pass(signal);
        delayMs = leastDelayMs;
      } catch (error) {
        if (!isFault(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        this.logger.warn(`partition ${partition}: trying again in ${delayMs} ms: ${why}`);
        await this.clock.sleep(delayMs, signal);
        delayMs = Math.min(delayMs * 2, mostDelayMs);
      }
    }
  }
}

/** The log or the database did not do it; the same may go well later. */
function isFault(error: unknown): boolean {
  const isRetryable = typeof error === 'object' && error !== null && 'retryable' in error && error.retryable === true;
  return isRetryable || error instanceof QueryFailedError || isStorageDown(error);
}
