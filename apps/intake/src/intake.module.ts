// Intake: agents are registered and their work is observed. Needs `EdgeModule` and the global ports, `OUTBOUND` among them.
import { Module } from '@nestjs/common';
import { OUTBOUND, type Outbound } from '#outbound';
import { AgentCalls } from '#protocol';
import { AgentsModule, CLOCK, type Clock } from '#runtime';
import { WritesModule } from '#writes';
import { AgentsController } from './agents.controller.ts';
import { CardMetrics } from './card-metrics.ts';
import { CardReader } from './card-reader.ts';
import { CardSchedule } from './card-schedule.ts';
import { CardsController } from './cards.controller.ts';
import { HoldsController } from './holds.controller.ts';
import { ObservationsController } from './observations.controller.ts';
import { Observer } from './observer.ts';
import { Prober } from './prober.ts';
import { Registrar } from './registrar.ts';
import { PushReceiver } from './push/push-receiver.ts';
import { PushSubscriptions } from './push/push-subscriptions.ts';
import { PushController } from './push/push.controller.ts';
import { Sightings } from './sightings.ts';

export { CardMetrics } from './card-metrics.ts';

@Module({
  imports: [AgentsModule, WritesModule],
  controllers: [AgentsController, CardsController, HoldsController, ObservationsController, PushController],
  providers: [
    CardMetrics,
    CardReader,
    CardSchedule,
    Observer,
    Prober,
    PushReceiver,
    PushSubscriptions,
    Registrar,
    Sightings,
    {
      provide: AgentCalls,
      inject: [OUTBOUND, CLOCK],
      useFactory: (outbound: Outbound, clock: Clock) => new AgentCalls({ outbound, now: () => clock.now() }),
    },
  ],
  exports: [AgentCalls, CardMetrics, PushSubscriptions, Sightings],
})
export class IntakeModule {}
