// The projector: keeps the read model up with the ledger. `EVENT_LOG`, `CLOCK` and `READ_MODEL` come from a global module
// of the composition root.
import { Module } from '@nestjs/common';
import { ProjectorHealth } from './projector-health.ts';
import { Projector } from './projector.ts';

export { ProjectorHealth } from './projector-health.ts';

@Module({ providers: [Projector, ProjectorHealth], exports: [ProjectorHealth] })
export class ProjectorModule {}
