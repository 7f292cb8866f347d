// `/v1/quarantine`: what was not believed is listed, and released or discarded by an operator.
import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { parsePosition } from '#event-log';
import {
  answerStatus,
  type Caller,
  CurrentCaller,
  invalidField,
  JsonBody,
  type Page,
  pageOf,
  QueryParameters,
  quarantineStates,
  readFields,
  readText,
  RequireScope,
} from '#runtime';
import { Quarantine, readWaitMs, sendAnswer, waiting } from '#writes';
import { Operating } from './operating.ts';
import { type QuarantinedFactView, viewQuarantinedFact } from './quarantined-fact-view.ts';

const maxReasonLength = 1_000;

@Controller('v1/quarantine')
export class QuarantineController {
  constructor(
    private readonly quarantine: Quarantine,
    private readonly operating: Operating,
  ) {}

  /** What waits for an operator, the latest first; with `state`, what is in that state. */
  @Get()
  @RequireScope('read', 'operate')
  async list(
    @Query() query: Record<string, unknown>,
    @CurrentCaller() { tenant }: Caller,
  ): Promise<Page<QuarantinedFactView>> {
    const parameters = new QueryParameters(query, ['state']);
    const state = parameters.word('state', quarantineStates);
    const [before] = parameters.cursor(1) ?? [];
    const limit = parameters.limit();
    assertPosition(parameters.text('after'));
    const states = state === undefined ? waiting : [state];
    const rows = await this.quarantine.list(tenant, { states, before, limit: limit + 1 });
    const page = pageOf(rows, limit, ({ number }) => [Number(number)]);
    return { ...page, items: page.items.map(viewQuarantinedFact) };
  }

  /** Answers as the report of the fact would have been answered. */
  @Post(':id/release')
  @RequireScope('operate')
  async release(
    @Param('id') id: string,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return sendAnswer(response, await this.operating.release(id, caller, readWaitMs(prefer)));
  }

  /** Takes `{reason}`; answers with the fact as it is kept from then on. */
  @Post(':id/discard')
  @HttpCode(answerStatus.taken)
  @RequireScope('operate')
  async discard(
    @Param('id') id: string,
    @JsonBody() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<QuarantinedFactView> {
    const { reason } = readFields(body, '', ['reason']);
    const fact = await this.operating.discard(id, caller, readText(reason, 'reason', maxReasonLength));
    return viewQuarantinedFact(fact);
  }
}

/** What is quarantined is there before its report is answered, so there is nothing to wait for. */
function assertPosition(after: string | undefined): void {
  if (after === undefined || parsePosition(after) !== undefined) return;
  throw invalidField('after', 'must be the `position` that a write was answered with');
}
