// Answers questions from the read model, and streams the ledger. `READ_MODEL_FOR_QUESTIONS`, `EVENT_LOG` and `CLOCK` come from a global
// module of the composition root; the guard and the problem filter from `EdgeModule`.
import { Module } from '@nestjs/common';
import { EventsController } from './events/events.controller.ts';
import { ExpectationsController } from './expectations/expectations.controller.ts';
import { HoldsController } from './holds/holds.controller.ts';
import { LapsesController } from './lapses/lapses.controller.ts';
import { OverviewController } from './overview/overview.controller.ts';
import { FoldedPositions } from './reading/folded-positions.ts';
import { ReadAfterInterceptor } from './reading/read-after.interceptor.ts';
import { Snapshots } from './reading/snapshot.ts';
import { RecordedFactsController } from './records/facts.controller.ts';
import { RefusalsController } from './records/refusals.controller.ts';
import { SubjectsController } from './subjects/subjects.controller.ts';

@Module({
  controllers: [
    ExpectationsController,
    SubjectsController,
    LapsesController,
    RecordedFactsController,
    RefusalsController,
    HoldsController,
    OverviewController,
    EventsController,
  ],
  providers: [FoldedPositions, ReadAfterInterceptor, Snapshots],
})
export class QueryModule {}
