// A tenant's settings are the log's from its first record on: the environment only gives first values.
import { Inject, Injectable } from '@nestjs/common';
import { encodeInbox, type EventLog, partitionOf } from '#event-log';
import { CONFIG, type Config, EVENT_LOG, type TenantOpening } from '#runtime';

@Injectable()
export class TenantSettings implements TenantOpening {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Appends the first settings; once more sets the same. */
  async open(tenant: string): Promise<void> {
    const value = encodeInbox({ type: 'configured', settings: this.config.initialSettings });
    await this.log.append(partitionOf(tenant, this.log.partitionCount), [{ tenant, value }]);
  }
}
