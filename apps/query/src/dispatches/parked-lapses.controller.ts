// `POST /v1/dispatches/retry` and `/discard`: what becomes of a parked lapse, by an operator's word.
// Whether it is parked is looked up in the read model, so that a mistake is answered as one. Where it stops being parked
// in between, the ledger's order decides: a retry changes nothing, and what is discarded is not sent unless it may be
// with its agent already.
import { Controller, Headers, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { In } from 'typeorm';
import { type DispatchState, identityHash, LapseRow } from '#read-model';
import { answerStatus, type BodyItems, type Caller, CurrentCaller, ItemsBody, Problem, RequireScope } from '#runtime';
import { readWaitMs } from '#writes';
import { FoldedActs } from '../reading/folded-acts.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { type LapseAct, readLapseActs } from './lapse-act-request.ts';

export interface LapseActResult extends Pick<LapseAct, 'agentId' | 'expectationId' | 'lapse'> {
  readonly outcome: 'asked' | 'refused';
  readonly code?: 'unknown' | 'not_parked';
  readonly message?: string;
}

export interface LapseActsAnswer {
  readonly results: readonly LapseActResult[];
  /** Of the last act; absent where none was asked for. */
  readonly position?: string;
}

@Controller('v1/dispatches')
@RequireScope('operate')
export class ParkedLapsesController {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly acts: FoldedActs,
  ) {}

  /** Takes `{agentId, expectationId, lapse, reason?}`, alone or in an array, and answers each. */
  @Post('retry')
  async retry(
    @ItemsBody({ lines: false }) body: BodyItems,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LapseActsAnswer> {
    return this.ask(body, readLapseActs(body, 'dispatchRetryRequested', caller.name), caller, prefer, response);
  }

  /** Likewise, with a `reason` for each. */
  @Post('discard')
  async discard(
    @ItemsBody({ lines: false }) body: BodyItems,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LapseActsAnswer> {
    return this.ask(body, readLapseActs(body, 'dispatchDiscardRequested', caller.name), caller, prefer, response);
  }

  /** A single one that is refused is thrown; of several, what can be is asked for. */
  private async ask(
    { single }: BodyItems,
    acts: readonly LapseAct[],
    { tenant }: Caller,
    prefer: string | undefined,
    response: Response,
  ): Promise<LapseActsAnswer> {
    const results = await this.judge(tenant, acts);
    const refused = results.filter(({ outcome }) => outcome === 'refused');
    const [only] = refused;
    if (single && only !== undefined) {
      throw new Problem(only.code === 'unknown' ? 'not-found' : 'already-settled', only.message ?? '', { ...only });
    }
    response.status(refused.length === 0 ? answerStatus.taken : answerStatus.someRefused);
    const asked = acts.filter((_, index) => results[index]?.outcome === 'asked');
    if (asked.length === 0) return { results };
    const { position } = await this.acts.tell(tenant, asked, readWaitMs(prefer));
    return { results, position };
  }

  private async judge(tenant: string, acts: readonly LapseAct[]): Promise<readonly LapseActResult[]> {
    const hashes = acts.map(({ agentId, expectationId }) => identityHash(tenant, agentId, expectationId));
    const rows = await this.snapshots.read(tenant, ({ manager }) =>
      manager.find(LapseRow, {
        where: { tenant, expectationHash: In([...new Set(hashes)]) },
        order: { occurrence: 'ASC' },
      }),
    );
    // Of an id used again, the last counts.
    const states = new Map(rows.map((row) => [`${row.expectationHash}:${row.lapse}`, row.dispatchState]));
    return acts.map(({ agentId, expectationId, lapse }, index) => ({
      ...{ agentId, expectationId, lapse },
      ...judgementOf(states.get(`${hashes[index] ?? ''}:${lapse}`)),
    }));
  }
}

function judgementOf(state: DispatchState | undefined): Pick<LapseActResult, 'outcome' | 'code' | 'message'> {
  if (state === 'parked') return { outcome: 'asked' };
  if (state === undefined) return { outcome: 'refused', code: 'unknown', message: 'there is no such lapse' };
  return { outcome: 'refused', code: 'not_parked', message: `its dispatch is ${state}, not parked` };
}
