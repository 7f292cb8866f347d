// `/v1/expectations`: by page, in bulk, one.
import { Get, Headers, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, type Page, Problem } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { sendLines } from '../reading/ndjson.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { type ExpectationFilter, readExpectationFilter } from './expectation-filter.ts';
import { findExpectation, findExpectations } from './expectation-query.ts';
import type { ExpectationView } from './expectation-view.ts';

const BULK_PAGE = 500;

@ReadController('v1/expectations')
export class ExpectationsController {
  constructor(private readonly snapshots: Snapshots) {}

  /**
   * By `status`, `lapse`, `kind`, `subjectType`, `subjectId`, `agentId`, `expectationId`, `dueFrom`, `dueTo`,
   * `suspended`, `nothingWillLapse`, `grace`, `slip`, `text`; `order=due` lists what is open, soonest due first. One page of `limit`
   * items; as `application/x-ndjson` all of them, one a line.
   */
  @Get()
  async list(
    @Query() query: Record<string, unknown>,
    @Headers('accept') accept: string | undefined,
    @CurrentCaller() { tenant }: Caller,
    @Res() response: Response,
  ): Promise<void> {
    const filter = readExpectationFilter(query);
    const read = (part: ExpectationFilter): Promise<Page<ExpectationView>> =>
      this.snapshots.read(tenant, (snapshot) => findExpectations(snapshot, part));
    if (accept?.includes('application/x-ndjson') !== true) {
      response.json(await read(filter));
      return;
    }
    await sendLines(response, (next) => {
      const cursor = next?.split('.').map(Number) ?? filter.cursor;
      return read({ ...filter, cursor, limit: BULK_PAGE });
    });
  }

  /** One expectation by its agent and id, each percent-encoded. */
  @Get(':agentId/:expectationId')
  async read(
    @Param('agentId') agentId: string,
    @Param('expectationId') expectationId: string,
    @CurrentCaller() { tenant }: Caller,
  ): Promise<ExpectationView> {
    const view = await this.snapshots.read(tenant, (snapshot) => findExpectation(snapshot, agentId, expectationId));
    if (view === undefined)
      throw new Problem('not-found', 'this agent has no such expectation', { agentId, expectationId });
    return view;
  }
}
