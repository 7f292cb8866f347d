// Tells people of what lapsed in one partition (Expectations §13.1), whatever becomes of the lapse tasks: at least once,
// for a day, unless it is refused for good. A sink that does not answer delays only itself, and a tenant's sinks no other tenant's.
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Outbound } from '#outbound';
import {
  type BackoffBounds,
  type Clock,
  type KnownSink,
  type Random,
  retryDelayMs,
  SealBrokenError,
  type SinkAddress,
  type SinkFailure,
} from '#runtime';
import { DueWork } from '../due-work.ts';
import type { Gathering, Teller, Told } from '../ledger-follower.ts';
import type { PartitionOwnership } from '../outbox/partition-ownership.ts';
import { deliver, type DeliveryFailure } from './deliver.ts';
import type { Notice } from './notice.ts';
import { NoticeGathering } from './notice-gathering.ts';
import { messageOf } from './notice-message.ts';
import { type DueNotice, NoticeRows, sinkKeyOf } from './notice-rows.ts';

/** The injection token of `NoticePorts`; optional: without it nobody is told. */
export const NOTICE_PORTS = Symbol('NoticePorts');

export interface NoticePorts {
  readonly sinks: {
    of(tenants: readonly string[]): Promise<readonly KnownSink[]>;
    find(tenant: string, sinkId: string): Promise<SinkAddress | undefined>;
    noteFailure(tenant: string, sinkId: string, failure: SinkFailure): Promise<void>;
  };
  readonly outbound: Outbound;
}

/** Why a notification is not sent any more: the sink refused it for good, or has not taken it for a day. */
export type GivenUpReason = 'refused' | 'untaken';

export interface NoticesOptions extends NoticePorts {
  readonly partition: number;
  readonly database: DataSource;
  readonly ownership: PartitionOwnership;
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffBounds;
  /** Does it again and again until it answers false; waits after a fault. */
  readonly persist: (name: string, pass: () => Promise<boolean>) => Promise<void>;
  readonly onGivenUp: (reason: GivenUpReason) => void;
}

const givenUpAfterMs = 86_400_000;
/** Of one tenant so many sinks of a partition are called at once. */
const sinksOfTenant = 4;

export class Notices implements Teller {
  private readonly logger = new Logger(Notices.name);
  private readonly rows: NoticeRows;
  private readonly gathering: NoticeGathering;
  private readonly work: DueWork;

  constructor(private readonly options: NoticesOptions) {
    const { partition, database, ownership, clock, persist, sinks } = options;
    this.rows = new NoticeRows(database, partition, ownership);
    this.work = new DueWork({ clock, persist, name: 'Notice', ofTenant: sinksOfTenant });
    this.gathering = new NoticeGathering({
      clock,
      sinksOf: (tenants) => sinks.of(tenants),
      openAlerts: (expectationKeys, now) => this.rows.alerts.open(expectationKeys, now),
    });
  }

  async gather(told: readonly Told[], since: Date): Promise<Gathering | undefined> {
    const gathered = await this.gathering.of(told, since);
    if (gathered.groups.length === 0) return undefined;
    const now = new Date(this.options.clock.now());
    return {
      write: (manager) => this.rows.add(manager, gathered, now),
      written: () => this.work.wake(),
    };
  }

  /** Until `stopping` aborts, and what is being sent has ended: by itself, or because `abandoning` aborts. */
  async run(stopping: AbortSignal, abandoning: AbortSignal): Promise<void> {
    const begin = (due: DueNotice): boolean => this.begin(due, abandoning);
    await this.options.persist('Notices', () => this.work.pass(this.rows, begin, stopping));
    await this.work.ended();
  }

  /** False where the tenant has enough under way. */
  private begin(due: DueNotice, abandoning: AbortSignal): boolean {
    return this.work.begin(sinkKeyOf(due), due.tenant, () => this.send(due, abandoning));
  }

  private async send({ seq, tenant, sinkId }: DueNotice, abandoning: AbortSignal): Promise<void> {
    const { sinks, clock } = this.options;
    const sink = await sinks.find(tenant, sinkId).catch((error: unknown) => {
      if (error instanceof SealBrokenError) return error;
      throw error;
    });
    if (sink === undefined) return this.rows.remove(seq);
    const notice = await this.rows.seal(seq, new Date(clock.now()));
    if (notice === undefined) return;
    if (!(sink instanceof SealBrokenError) && saysNothing(sink, notice)) return this.rows.remove(seq);
    const failure =
      sink instanceof SealBrokenError
        ? { cause: sink.message }
        : await deliver(this.options, messageOf(sink, notice, clock.now()), abandoning);
    if (failure === undefined) return this.rows.remove(seq);
    // Whoever comes next sends it again, as the same notification.
    if (!abandoning.aborted) await this.failed(seq, notice, failure);
  }

  private async failed(seq: string, notice: Notice, failure: DeliveryFailure): Promise<void> {
    const { clock, random, backoff, sinks } = this.options;
    const { cause, retryAfterMs } = failure;
    const at = new Date(clock.now());
    const reason = givenUpReason(notice, failure, at);
    if (reason !== undefined) {
      await this.rows.remove(seq);
      this.gaveUp(notice, cause, reason);
    } else {
      if (notice.failuresCount === 0) this.logger.warn(`${nameOf(notice)} is tried again, for a day: ${cause}`);
      const delayMs = retryDelayMs(notice.failuresCount + 1, backoff, random, retryAfterMs);
      await this.rows.postpone(seq, new Date(at.getTime() + delayMs));
    }
    await sinks.noteFailure(notice.tenant, notice.sinkId, { cause, at, isGivenUp: reason !== undefined });
  }

  private gaveUp(notice: Notice, cause: string, reason: GivenUpReason): void {
    const why = reason === 'refused' ? 'it refuses that for good' : 'it has not taken that for a day';
    this.logger.warn(`${nameOf(notice)} is not told of ${whatOf(notice)}: ${why}: ${cause}`);
    this.options.onGivenUp(reason);
  }
}

function givenUpReason(notice: Notice, { isForGood }: DeliveryFailure, at: Date): GivenUpReason | undefined {
  if (isForGood === true) return 'refused';
  return at.getTime() - notice.madeAt.getTime() >= givenUpAfterMs ? 'untaken' : undefined;
}

/** What it would tell was told before, or the sink was one that holds alerts and is none any more. */
function saysNothing({ type }: SinkAddress, { lapses, moreCount, closings }: Notice): boolean {
  return lapses.length + moreCount === 0 && (type !== 'alertmanager' || closings.length === 0);
}

function whatOf({ lapses, moreCount, closings }: Notice): string {
  const count = lapses.length + moreCount;
  const told = `${count} ${count === 1 ? 'lapse' : 'lapses'}`;
  return closings.length === 0 ? told : `${told} and the end of ${closings.length}`;
}

function nameOf({ tenant, sinkId }: Notice): string {
  return `sink ${JSON.stringify(sinkId)} of tenant ${JSON.stringify(tenant)}`;
}
