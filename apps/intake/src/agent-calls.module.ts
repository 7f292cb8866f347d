// Gives `AgentCalls` to whoever calls agents in the watcher's own name: tokens that agents want are kept once a process.
import { Module } from '@nestjs/common';
import { OUTBOUND, type Outbound } from '#outbound';
import { AgentCalls } from '#protocol';
import { CLOCK, type Clock } from '#runtime';

@Module({
  providers: [
    {
      provide: AgentCalls,
      inject: [OUTBOUND, CLOCK],
      useFactory: (outbound: Outbound, clock: Clock) => new AgentCalls({ outbound, now: () => clock.now() }),
    },
  ],
  exports: [AgentCalls],
})
export class AgentCallsModule {}
