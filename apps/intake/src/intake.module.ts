// Intake: agents are registered and their work is observed, as it is told and as it passes. Needs `EdgeModule` and the global
// ports, `OUTBOUND` among them.
import { Module } from '@nestjs/common';
import { AgentsModule, SinksModule } from '#runtime';
import { WritesModule } from '#writes';
import { AgentCallsModule } from './agent-calls.module.ts';
import { AgentsController } from './agents.controller.ts';
import { CardMetrics } from './card-metrics.ts';
import { CardReader } from './card-reader.ts';
import { CardSchedule } from './card-schedule.ts';
import { CardsController } from './cards.controller.ts';
import { GatewayModule } from './gateway/gateway.module.ts';
import { HoldsController } from './holds.controller.ts';
import { ObservationsController } from './observations.controller.ts';
import { Observer } from './observer.ts';
import { Prober } from './prober.ts';
import { PushReceiver } from './push/push-receiver.ts';
import { PushSubscriptions } from './push/push-subscriptions.ts';
import { PushController } from './push/push.controller.ts';
import { Registrar } from './registrar.ts';
import { SightingsModule } from './sightings.module.ts';
import { SinksController } from './sinks/sinks.controller.ts';

export { CardMetrics } from './card-metrics.ts';
export { GatewayMetrics } from './gateway/gateway-metrics.ts';

@Module({
  imports: [AgentCallsModule, AgentsModule, SinksModule, WritesModule, SightingsModule, GatewayModule],
  controllers: [
    ...[AgentsController, CardsController, HoldsController, ObservationsController, PushController],
    SinksController,
  ],
  providers: [
    ...[CardMetrics, CardReader, CardSchedule, Observer, Prober, Registrar],
    ...[PushReceiver, PushSubscriptions],
  ],
  exports: [CardMetrics, GatewayModule, PushSubscriptions, SightingsModule],
})
export class IntakeModule {}
