// Lets go of inbox records that are decided and old. What a held tenant waits with stays, and is told of.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import type { EventLog } from '#event-log';
import { CLOCK, type Clock, EVENT_LOG } from '#runtime';
import { Timekeeper } from './timekeeper.ts';

/** For how long what is decided stays in the inbox, in milliseconds; absent where the log sees to it itself. */
export const INBOX_RETENTION_MS = Symbol('InboxRetentionMs');

const PERIOD_MS = 60_000;

@Injectable()
export class InboxRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(InboxRetention.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly timekeeper: Timekeeper,
    @Optional() @Inject(INBOX_RETENTION_MS) private readonly retentionMs?: number,
  ) {}

  onApplicationBootstrap(): void {
    const { retentionMs } = this;
    if (retentionMs !== undefined) this.running = this.run(retentionMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(retentionMs: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.clock.sleep(PERIOD_MS, signal);
      await this.trimAll(retentionMs, signal);
    }
  }

  /** What fails is done the next time. */
  private async trimAll(retentionMs: number, signal: AbortSignal): Promise<void> {
    try {
      const appendedBefore = (await this.log.now()) - retentionMs;
      for (const [partition, before] of this.timekeeper.doneBefore().entries()) {
        while (!signal.aborted && (await this.log.trim(partition, { before, appendedBefore }))) continue;
      }
    } catch (error) {
      if (!signal.aborted) this.logger.warn(`the inbox was not trimmed: ${String(error)}`);
    }
  }
}
