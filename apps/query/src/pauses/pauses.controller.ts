// `/v1/pauses`: an operator holds dispatch for a while, and sees who holds what. Judgement goes on. The acts go through
// the inbox; the ledger's order says which of two counts.
import { Controller, Delete, Get, Headers, Inject, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { Response } from 'express';
import { pauseHashOf, PauseRow, readRows, toStoredText } from '#read-model';
import {
  answerStatus,
  type Caller,
  CLOCK,
  type Clock,
  CurrentCaller,
  JsonBody,
  type Page,
  pageOf,
  Problem,
  QueryParameters,
  RequireScope,
} from '#runtime';
import { readWaitMs } from '#writes';
import { FoldedActs } from '../reading/folded-acts.ts';
import { ReadAfterInterceptor } from '../reading/read-after.interceptor.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { pauseIs } from './held.ts';
import { assertTime, isSame, type PauseRequest, readPauseRequest } from './pause-request.ts';
import { pauseStates, type PauseView, viewPause } from './pause-view.ts';

/** Of a tenant, that have not ended. */
const mostPauses = 1_000;

/** What is asked for and not seen yet. */
interface Undecided {
  readonly position: string;
}

@Controller('v1/pauses')
export class PausesController {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly acts: FoldedActs,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** By `state` (coming, active, ended), `agentId`; the latest first. */
  @Get()
  @RequireScope('read', 'operate')
  @UseInterceptors(ReadAfterInterceptor)
  async list(@Query() query: Record<string, unknown>, @CurrentCaller() { tenant }: Caller): Promise<Page<PauseView>> {
    const parameters = new QueryParameters(query, ['state', 'agentId']);
    const state = parameters.word('state', pauseStates);
    const agentId = parameters.text('agentId');
    const limit = parameters.limit();
    const cursor = parameters.cursor(2);
    return await this.snapshots.read(tenant, async ({ manager, nowMs }) => {
      const found = manager
        .createQueryBuilder(PauseRow, 'p')
        .where('p.tenant = :tenant', { tenant: toStoredText(tenant) });
      if (state !== undefined) found.andWhere(pauseIs(state, 'p'), { now: new Date(nowMs).toISOString() });
      if (agentId !== undefined) found.andWhere('p.agentId = :agentId', { agentId: toStoredText(agentId) });
      if (cursor !== undefined) {
        const [offset, index] = cursor;
        found.andWhere('(p.ledgerOffset, p.eventIndex) < (:offset, :index)', { offset, index });
      }
      found.orderBy('p.ledgerOffset', 'DESC').addOrderBy('p.eventIndex', 'DESC');
      const rows = await readRows(found.limit(limit + 1));
      const page = pageOf(rows, limit, ({ ledgerOffset, eventIndex }) => [ledgerOffset, eventIndex]);
      return { ...page, items: page.items.map((row) => viewPause(row, nowMs)) };
    });
  }

  /**
   * Takes `{pauseId, scope?: {agentId?, kind?, subject?: {type, id}}, reason, from?, until}`. Answers 201 with the pause,
   * 200 where it is there already, also where it has ended; 202 with a position where it takes longer to be seen than is
   * waited. Throws `Problem`: `already-settled` where another has the id.
   */
  @Post()
  @RequireScope('operate')
  async pause(
    @JsonBody() body: unknown,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() { tenant, name }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PauseView | Undecided> {
    const request = readPauseRequest(body);
    const known = await this.find(tenant, request.pauseId);
    if (known !== undefined) return this.same(known, request, response, 'taken');
    assertTime(request, this.clock.now());
    await this.assertRoom(tenant);
    const act = { type: 'dispatchPauseRequested', ...request, by: name } as const;
    const { position, isFolded } = await this.acts.tell(tenant, [act], readWaitMs(prefer));
    const made = isFolded ? await this.find(tenant, request.pauseId) : undefined;
    if (made !== undefined) return this.same(made, request, response, 'created');
    response.status(answerStatus.undecided);
    return { position };
  }

  /**
   * Ends a pause before its time; one that has ended stays as it is. Answers with the pause, or 202 with a position.
   * Throws `Problem` (`not-found`) where none of this id is known.
   */
  @Delete(':pauseId')
  @RequireScope('operate')
  async end(
    @Param('pauseId') pauseId: string,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() { tenant, name }: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PauseView | Undecided> {
    const known = await this.find(tenant, pauseId);
    if (known === undefined) throw new Problem('not-found', 'there is no pause of this id');
    const nowMs = this.clock.now();
    if (viewPause(known, nowMs).state === 'ended') return viewPause(known, nowMs);
    const act = { type: 'dispatchPauseEndRequested', pauseId, by: name } as const;
    const { position, isFolded } = await this.acts.tell(tenant, [act], readWaitMs(prefer));
    const ended = isFolded ? await this.find(tenant, pauseId) : undefined;
    if (ended !== undefined) return viewPause(ended, this.clock.now());
    response.status(answerStatus.undecided);
    return { position };
  }

  /** Each lapse that is to be sent is compared with all of them. */
  private async assertRoom(tenant: string): Promise<void> {
    const count = await this.snapshots.read(tenant, ({ manager, nowMs }) =>
      manager
        .createQueryBuilder(PauseRow, 'p')
        .where('p.tenant = :tenant', { tenant: toStoredText(tenant) })
        .andWhere(`NOT ${pauseIs('ended', 'p')}`, { now: new Date(nowMs).toISOString() })
        .getCount(),
    );
    if (count < mostPauses) return;
    throw new Problem('tenant-overloaded', `${mostPauses} pauses are in force or to come: end some before`);
  }

  private find(tenant: string, pauseId: string): Promise<PauseRow | undefined> {
    return this.snapshots.read(tenant, async ({ manager }) => {
      const row = await manager.findOneBy(PauseRow, { pauseHash: pauseHashOf(tenant, pauseId), tenant, pauseId });
      return row ?? undefined;
    });
  }

  private same(row: PauseRow, request: PauseRequest, response: Response, kind: 'taken' | 'created'): PauseView {
    const view = viewPause(row, this.clock.now());
    if (!isSame(row, request)) {
      throw new Problem('already-settled', 'another pause has this id: take a new one for another scope or time', {
        pause: view,
      });
    }
    response.status(answerStatus[kind]);
    return view;
  }
}
