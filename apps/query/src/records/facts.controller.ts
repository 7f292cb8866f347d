// `GET /v1/facts`: what was recorded, the latest first.
import { Get, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, type Page } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { findFacts, readFactFilter } from './fact-query.ts';
import type { FactView } from './fact-view.ts';

@ReadController('v1/facts')
export class RecordedFactsController {
  constructor(private readonly snapshots: Snapshots) {}

  /** By `factKey`, `source`, `subjectType` and `subjectId`. */
  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentCaller() { tenant }: Caller): Promise<Page<FactView>> {
    const filter = readFactFilter(query);
    return await this.snapshots.read(tenant, (snapshot) => findFacts(snapshot, filter));
  }
}
