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
import { Periodically } from './periodically.ts';
import { Timekeeper } from './timekeeper.ts';

/** For how long what is decided stays in the inbox, in milliseconds; absent where the log sees to it itself. */
export const INBOX_RETENTION_MS = Symbol('InboxRetentionMs');

@Injectable()
export class InboxRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(InboxRetention.name);
  private readonly periodically: Periodically;

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) clock: Clock,
    private readonly timekeeper: Timekeeper,
    @Optional() @Inject(INBOX_RETENTION_MS) private readonly retentionMs?: number,
  ) {
    this.periodically = new Periodically(clock);
  }

  onApplicationBootstrap(): void {
    const { retentionMs } = this;
    if (retentionMs !== undefined) this.periodically.start((signal) => this.trimAll(retentionMs, signal));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.periodically.stop();
  }

  /** What fails is done the next time. */
  private async trimAll(retentionMs: number, signal: AbortSignal): Promise<void> {
    try {
      const appendedBefore = (await this.log.now()) - retentionMs;
      for (const [partition, before] of this.timekeeper.doneBefore()) {
        while (!signal.aborted && (await this.log.trim(partition, { before, appendedBefore }))) continue;
      }
    } catch (error) {
      if (!signal.aborted) this.logger.warn(`the inbox was not trimmed: ${String(error)}`);
    }
  }
}
