// Following: what becomes of tasks at their agents. Needs what `IntakeModule` needs, and `RANDOM` and
// `READ_MODEL_FOR_QUESTIONS` of the composition root, which may set `FOLLOWER_OPTIONS`.
import { Module } from '@nestjs/common';
import { OUTBOUND, type Outbound } from '#outbound';
import { SdkTaskReader } from '#protocol';
import { AgentsModule, CLOCK, type Clock } from '#runtime';
import { FollowerMetrics } from './follower/follower-metrics.ts';
import { FollowerController } from './follower/follower.controller.ts';
import { Follower, TASK_READER } from './follower/follower.ts';
import { IntakeModule } from './intake.module.ts';

export { FollowerMetrics } from './follower/follower-metrics.ts';
export { FOLLOWER_OPTIONS, followerOptions, type FollowerOptions } from './follower/follower-options.ts';
export { Follower } from './follower/follower.ts';

@Module({
  imports: [AgentsModule, IntakeModule],
  controllers: [FollowerController],
  providers: [
    Follower,
    FollowerMetrics,
    {
      provide: TASK_READER,
      inject: [OUTBOUND, CLOCK],
      useFactory: (outbound: Outbound, clock: Clock) => new SdkTaskReader({ outbound, now: () => clock.now() }),
    },
  ],
  exports: [Follower, FollowerMetrics],
})
export class FollowerModule {}
