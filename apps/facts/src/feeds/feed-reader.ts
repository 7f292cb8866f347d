// Reads the feeds for as long as the process runs, where there are any to read.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import type { FeedMembership, Feeds } from '#event-log';
import { ApiKeys, FEEDS } from '#runtime';
import { orEndProcess } from '#serving';
import { FeedMetrics } from './feed-metrics.ts';
import { FeedReporting } from './feed-reporting.ts';

@Injectable()
export class FeedReader implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FeedReader.name);
  private membership: FeedMembership | undefined;

  constructor(
    private readonly reporting: FeedReporting,
    private readonly metrics: FeedMetrics,
    private readonly keys: ApiKeys,
    @Optional() @Inject(FEEDS) private readonly feeds?: Feeds,
  ) {}

  onApplicationBootstrap(): void {
    this.membership = this.feeds?.join({
      serve: (feed) => orEndProcess(this.reporting.serve(feed)),
      tenants: () => this.keys.tenants(),
      waiting: (topics) => this.tellWaiting(topics),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.membership?.leave();
  }

  private tellWaiting(topics: readonly string[]): void {
    this.metrics.waiting(topics.length);
    if (topics.length === 0) return;
    this.logger.warn(`not read, because there is no such tenant: ${topics.slice(0, 20).join(', ')}`);
  }
}
