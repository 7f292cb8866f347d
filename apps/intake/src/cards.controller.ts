// `/v1/agents/{agentId}/cards`, and `…/card/read`: the versions of an agent's card, and reading it now.
import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  AgentCards,
  type Caller,
  CurrentCaller,
  pageOf,
  Problem,
  QueryParameters,
  readText,
  RequireScope,
} from '#runtime';
import { readWaitMs, sendAnswer } from '#writes';
import { cardVersionView, cardVersionWholeView } from './card-version-view.ts';
import { Registrar } from './registrar.ts';

@Controller('v1/agents/:agentId')
export class CardsController {
  constructor(
    private readonly registrar: Registrar,
    private readonly cards: AgentCards,
  ) {}

  @Post('card/read')
  @HttpCode(200)
  @RequireScope('agents')
  async readAgain(
    @Param('agentId') agentId: string,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const id = readText(agentId, 'agentId');
    return sendAnswer(response, await this.registrar.readAgain(caller.tenant, id, readWaitMs(prefer)));
  }

  @Get('cards')
  @RequireScope('read', 'agents')
  async list(
    @Param('agentId') agentId: string,
    @Query() query: Record<string, unknown>,
    @CurrentCaller() caller: Caller,
  ): Promise<unknown> {
    const parameters = new QueryParameters(query, []);
    const limit = parameters.limit();
    const [before] = parameters.cursor(1) ?? [];
    const versions = await this.cards.list(caller.tenant, readText(agentId, 'agentId'), before, limit + 1);
    const { items, next } = pageOf(versions, limit, ({ version }) => [version]);
    return { items: items.map(cardVersionView), ...(next !== undefined && { next }) };
  }

  @Get('cards/:version')
  @RequireScope('read', 'agents')
  async version(
    @Param('agentId') agentId: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<unknown> {
    const number = /^\d{1,9}$/.test(version) ? Number(version) : 0;
    const found = await this.cards.version(caller.tenant, readText(agentId, 'agentId'), number);
    if (found === undefined) throw new Problem('not-found', 'no such version of such an agent’s card is kept');
    return cardVersionWholeView(found);
  }
}
