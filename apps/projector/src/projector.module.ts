// The projector: keeps the read model up with the ledger. `EVENT_LOG`, `CLOCK`, `READ_MODEL` and `MEMBERSHIPS` come from a
// global module of the composition root.
import { Module } from '@nestjs/common';
import { ProjectorHealth } from './projector-health.ts';
import { ProjectorController } from './projector.controller.ts';
import { Projector } from './projector.ts';

export { ProjectorHealth } from './projector-health.ts';

@Module({
  controllers: [ProjectorController],
  providers: [Projector, ProjectorHealth],
  exports: [ProjectorHealth],
})
export class ProjectorModule {}
