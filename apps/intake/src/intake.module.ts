// Intake: agents are registered and their work is observed. Needs `EdgeModule` and the global ports, `OUTBOUND` among them.
import { Module } from '@nestjs/common';
import { AgentsModule } from '#runtime';
import { WritesModule } from '#writes';
import { AgentsController } from './agents.controller.ts';
import { HoldsController } from './holds.controller.ts';
import { ObservationsController } from './observations.controller.ts';
import { Observer } from './observer.ts';
import { Registrar } from './registrar.ts';
import { PushReceiver } from './push/push-receiver.ts';
import { PushSubscriptions } from './push/push-subscriptions.ts';
import { PushController } from './push/push.controller.ts';
import { Sightings } from './sightings.ts';

@Module({
  imports: [AgentsModule, WritesModule],
  controllers: [AgentsController, HoldsController, ObservationsController, PushController],
  providers: [Observer, PushReceiver, PushSubscriptions, Registrar, Sightings],
  exports: [PushSubscriptions, Sightings],
})
export class IntakeModule {}
