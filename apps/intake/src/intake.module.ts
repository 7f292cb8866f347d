// Intake: agents are registered and their work is observed. Needs `EdgeModule` and the global ports, `OUTBOUND` among them.
import { Module } from '@nestjs/common';
import { AgentsModule } from '#runtime';
import { WritesModule } from '#writes';
import { AgentsController } from './agents.controller.ts';
import { HoldsController } from './holds.controller.ts';
import { ObservationsController } from './observations.controller.ts';
import { Observer } from './observer.ts';
import { Prober } from './prober.ts';
import { Registrar } from './registrar.ts';
import { Sightings } from './sightings.ts';

@Module({
  imports: [AgentsModule, WritesModule],
  controllers: [AgentsController, HoldsController, ObservationsController],
  providers: [Observer, Prober, Registrar, Sightings],
})
export class IntakeModule {}
