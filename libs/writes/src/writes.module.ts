// Wires what every edge that writes needs. `EVENT_LOG`, `CLOCK` and `EDGE_DATABASE` come from the composition root.
import { Module } from '@nestjs/common';
import { DecisionsController } from './decisions.controller.ts';
import { QUARANTINE_BOUNDS, Quarantine, quarantineBounds } from './quarantine.ts';
import { UnansweredWrites } from './unanswered-writes.ts';
import { RoomForWrites } from './room-for-writes.guard.ts';
import { WritesMetrics } from './writes-metrics.ts';
import { UNDECIDED_SHARES, undecidedShares, Writes } from './writes.ts';

@Module({
  controllers: [DecisionsController],
  providers: [
    Writes,
    WritesMetrics,
    RoomForWrites,
    UnansweredWrites,
    Quarantine,
    { provide: QUARANTINE_BOUNDS, useValue: quarantineBounds },
    { provide: UNDECIDED_SHARES, useValue: undecidedShares },
  ],
  exports: [Writes, WritesMetrics, Quarantine, RoomForWrites],
})
export class WritesModule {}
