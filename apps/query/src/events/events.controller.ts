// `GET /v1/events`: what is decided for the tenant, as it is decided (server-sent events).
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Headers, Inject, type OnModuleDestroy, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type EventLog, parsePosition, partitionOf } from '#event-log';
import { type Caller, CLOCK, type Clock, CurrentCaller, EVENT_LOG, invalidField, RequireScope } from '#runtime';
import { isGone } from '../reading/ndjson.ts';
import { ledgerMessages } from './ledger-messages.ts';

@Controller('v1/events')
export class EventsController implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
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
    @CurrentCaller() { tenant }: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const partition = partitionOf(tenant, this.log.partitionCount);
    const from = await this.startOf(partition, start, lastEventId);
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const signal = AbortSignal.any([closed.signal, this.stopping.signal]);
    try {
      await pipeline(
        Readable.from(ledgerMessages(this.log, this.clock, { tenant, partition, from }, signal)),
        response,
      );
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
    return last.offset + 1;
  }
}
