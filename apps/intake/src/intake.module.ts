// Intake: agents are registered and their work is observed, as it is told and as it passes. Needs `EdgeModule` and the global ports, `OUTBOUND` among them.
import { Module } from '@nestjs/common';
import { AgentsModule } from '#runtime';
import { WritesModule } from '#writes';
import { AgentsController } from './agents.controller.ts';
import { GatewayModule } from './gateway/gateway.module.ts';
import { HoldsController } from './holds.controller.ts';
import { ObservationsController } from './observations.controller.ts';
import { Observer } from './observer.ts';
import { Registrar } from './registrar.ts';
import { SightingsModule } from './sightings.module.ts';

export { GatewayMetrics } from './gateway/gateway-metrics.ts';

@Module({
  imports: [AgentsModule, WritesModule, SightingsModule, GatewayModule],
  controllers: [AgentsController, HoldsController, ObservationsController],
  providers: [Observer, Registrar],
  exports: [GatewayModule],
})
export class IntakeModule {}
