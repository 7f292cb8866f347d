// Answers questions from the read model, streams the ledger, and takes what operators want of dispatch. `READ_MODEL_FOR_QUESTIONS`, `EVENT_LOG` and `CLOCK` come from a global
// module of the composition root; the guard and the problem filter from `EdgeModule`.
import { Module } from '@nestjs/common';
import { ParkedLapsesController } from './dispatches/parked-lapses.controller.ts';
import { EventsController } from './events/events.controller.ts';
import { ExpectationsController } from './expectations/expectations.controller.ts';
import { HoldsController } from './holds/holds.controller.ts';
import { LapsesController } from './lapses/lapses.controller.ts';
import { OverviewController } from './overview/overview.controller.ts';
import { PausesController } from './pauses/pauses.controller.ts';
import { FoldedActs } from './reading/folded-acts.ts';
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
    ParkedLapsesController,
    PausesController,
    RecordedFactsController,
    RefusalsController,
    HoldsController,
    OverviewController,
    EventsController,
  ],
  providers: [FoldedActs, FoldedPositions, ReadAfterInterceptor, Snapshots],
})
export class QueryModule {}
