// `GET /v1/events`: what is decided for the tenant, as it is decided (server-sent events).
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Headers, Inject, type OnModuleDestroy, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type EventLog, type LogRecord, parsePosition, partitionOf, type ReadOptions } from '#event-log';
import {
  ApiKeys,
  type Caller,
  CLOCK,
  type Clock,
  CurrentCaller,
  EVENT_LOG,
  invalidField,
  linked,
  Problem,
  RequireScope,
  TenantTurns,
} from '#runtime';
import { isGone } from '../reading/ndjson.ts';
import { ledgerMessages } from './ledger-messages.ts';

/** Streams that one tenant's keys may hold open at once. */
export const maxStreamsCount = 100;

@Controller('v1/events')
export class EventsController implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  private readonly streamsCounts = new Map<string, number>();
  /** All of a tenant's streams may read at once what is old: everybody needs the log's connections. */
  private readonly turns = new TenantTurns({ running: 2, waiting: maxStreamsCount });

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly keys: ApiKeys,
  ) {}

  /** Streams end, so that the process can. */
  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** From the ledger's end on; with `from=start` from its beginning, with `Last-Event-ID` from after that event. */
  @Get()
  @RequireScope('read')
  async stream(
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query('from') start: unknown,
    @CurrentCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const partition = partitionOf(caller.tenant, this.log.partitionCount);
    const from = await this.startOf(partition, start, lastEventId);
    const count = (this.streamsCounts.get(caller.tenant) ?? 0) + 1;
    if (count > maxStreamsCount) {
      throw new Problem('tenant-overloaded', `your tenant has ${maxStreamsCount} streams open: close one`);
    }
    this.streamsCounts.set(caller.tenant, count);
    try {
      await this.send(response, caller, partition, from);
    } finally {
      this.streamsCounts.set(caller.tenant, (this.streamsCounts.get(caller.tenant) ?? 1) - 1);
      if (this.streamsCounts.get(caller.tenant) === 0) this.streamsCounts.delete(caller.tenant);
    }
  }

  private async send(response: Response, caller: Caller, partition: number, from: number): Promise<void> {
    const { tenant, keyId } = caller;
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    const read = (options: ReadOptions): Promise<readonly LogRecord[]> =>
      this.turns.within(tenant, () => this.log.read('ledger', partition, options));
    const part = { tenant, partition, from, read, mayRead: () => this.keys.isLive(keyId) };
    const messages = ledgerMessages(this.log, this.clock, part, closed.signal);
    try {
      await linked(this.stopping.signal, closed, () => pipeline(Readable.from(messages), response));
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  private async startOf(partition: number, start: unknown, lastEventId: string | undefined): Promise<number> {
    if (start !== undefined && start !== 'start') throw invalidField('from', 'must be start');
    const { earliest, end } = await this.log.bounds('ledger', partition);
    if (lastEventId === undefined || lastEventId === '') return start === undefined ? end : earliest;
    const last = parsePosition(lastEventId);
    if (last?.partition !== partition || last.offset >= end) {
      throw invalidField('Last-Event-ID', 'must be the id of an event of this stream');
    }
    if (last.offset + 1 < earliest) {
      throw invalidField('Last-Event-ID', 'is of before what is kept: read the lists, then the stream without it');
    }
    return last.offset + 1;
  }
}
