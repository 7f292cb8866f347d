// `/v1/lapses` and `/v1/dispatches`: what lapsed, and how its task fared on the way to the agent. The latest first.
import { Get, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, type Page } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { findLapses, readLapseFilter, viewLapses } from './lapse-query.ts';
import { type DispatchListing, type LapseView, listDispatch } from './lapse-view.ts';

@ReadController('v1')
export class LapsesController {
  constructor(private readonly snapshots: Snapshots) {}

  /** By `lapse`, `state` of the dispatch, `agentId`, `expectationId`, `subjectType` and `subjectId`. */
  @Get('lapses')
  async lapses(@Query() query: Record<string, unknown>, @CurrentCaller() { tenant }: Caller): Promise<Page<LapseView>> {
    const filter = readLapseFilter(query);
    return await this.snapshots.read(tenant, async (snapshot) => {
      const page = await findLapses(snapshot, filter);
      return { ...page, items: await viewLapses(snapshot, page.items) };
    });
  }

  /** The same, each as the way of its task; by the same parameters. */
  @Get('dispatches')
  async dispatches(
    @Query() query: Record<string, unknown>,
    @CurrentCaller() { tenant }: Caller,
  ): Promise<Page<DispatchListing>> {
    const filter = readLapseFilter(query);
    const page = await this.snapshots.read(tenant, (snapshot) => findLapses(snapshot, filter));
    return { ...page, items: page.items.map(listDispatch) };
  }
}
