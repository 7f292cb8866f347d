// `GET /v1/subjects/{type}/{id}/timeline`.
import { Get, Param, Query } from '@nestjs/common';
import { type Caller, CurrentCaller, Problem, QueryParameters } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';
import { findTimeline, type Timeline } from './timeline.ts';

@ReadController('v1/subjects')
export class SubjectsController {
  constructor(private readonly snapshots: Snapshots) {}

  /** Type and id are percent-encoded. 404 where nothing is recorded on the subject. */
  @Get(':type/:id/timeline')
  async timeline(
    @Param('type') type: string,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @CurrentCaller() { tenant }: Caller,
  ): Promise<Timeline> {
    new QueryParameters(query, []);
    const timeline = await this.snapshots.read(tenant, (snapshot) => findTimeline(snapshot, { type, id }));
    if (timeline === undefined)
      throw new Problem('not-found', 'nothing is recorded on this subject', { subject: { type, id } });
    return timeline;
  }
}
