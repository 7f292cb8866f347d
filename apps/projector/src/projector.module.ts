// The projector: keeps the read model up with the ledger. `EVENT_LOG`, `CLOCK`, `READ_MODEL` and `MEMBERSHIPS` come from a
// global module of the composition root.
import { Module } from '@nestjs/common';
import { ParkedMetrics } from './parked-metrics.ts';
import { ProjectorHealth } from './projector-health.ts';
import { ProjectorMetrics } from './projector-metrics.ts';
import { ProjectorController } from './projector.controller.ts';
import { Projector } from './projector.ts';

export { ProjectorHealth } from './projector-health.ts';
export { ParkedMetrics } from './parked-metrics.ts';
export { ProjectorMetrics } from './projector-metrics.ts';

@Module({
  controllers: [ProjectorController],
  providers: [Projector, ProjectorHealth, ProjectorMetrics, ParkedMetrics],
  exports: [ProjectorHealth, ProjectorMetrics, ParkedMetrics],
})
export class ProjectorModule {}
