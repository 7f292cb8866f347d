// Wires the gateway. Needs `EdgeModule` and the global ports, `OUTBOUND` among them; `CONFIG` and `GATEWAY_LIMITS` where
// there are some.
import { Module } from '@nestjs/common';
import { AgentsModule } from '#runtime';
import { WritesModule } from '#writes';
import { AgentCallsModule } from '../agent-calls.module.ts';
import { Sightings } from '../sightings.ts';
import { SightingsModule } from '../sightings.module.ts';
import { AgentQuestions } from './agent-questions.ts';
import { WATCH_PORTS, type WatchPorts } from './answer-watch.ts';
import { ClientKey } from './client-key.ts';
import { EchoWatch } from './echo-watch.ts';
import { ForwardedSends } from './forwarded-sends.ts';
import { GatewayAgents } from './gateway-agents.ts';
import { GatewayBase } from './gateway-base.ts';
import { GatewayController } from './gateway.controller.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { GatewayShares } from './gateway-shares.ts';
import { Gateway } from './gateway.ts';
import { LogGate } from './log-gate.ts';
import { NoteRates } from './note-rates.ts';
import { GatewayReminders } from './reminders/gateway-reminders.ts';
import { KeptLookUp } from './reminders/kept-look-up.ts';
import { KeptReminders } from './reminders/kept-reminders.ts';
import { SendLookUp } from './send-look-up.ts';
import { SendNotes } from './send-notes.ts';
import { ToldMemory } from './told-memory.ts';

@Module({
  imports: [AgentCallsModule, AgentsModule, WritesModule, SightingsModule],
  controllers: [GatewayController],
  providers: [
    ...[Gateway, GatewayAgents, GatewayBase, GatewayMetrics, GatewayShares, ClientKey, LogGate, ToldMemory],
    EchoWatch,
    ...[ForwardedSends, NoteRates, SendNotes, SendLookUp, AgentQuestions],
    ...[GatewayReminders, KeptReminders, KeptLookUp],
    {
      provide: WATCH_PORTS,
      inject: [Sightings, ToldMemory, LogGate, ForwardedSends, GatewayMetrics],
      useFactory: (
        ...[sightings, memory, gate, sends, metrics]: [Sightings, ToldMemory, LogGate, ForwardedSends, GatewayMetrics]
      ): WatchPorts => ({ sightings, memory, gate, sends, metrics }),
    },
  ],
  exports: [GatewayMetrics],
})
export class GatewayModule {}
