// The dispatcher: lapses go to their agents as tasks. `EVENT_LOG`, `CLOCK`, `RANDOM`, `OUTBOUND` and `DISPATCH_DATABASE` come from a
// global module of the composition root, as does what `AgentsModule` needs, and as may `DISPATCHER_OPTIONS` and, for
// better texts, `READ_MODEL`.
import { Module } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { READ_MODEL } from '#read-model';
import { OUTBOUND, type Outbound } from '#outbound';
import { SdkMessenger } from '#protocol';
import {
  AgentDirectory,
  AgentReminders,
  AgentsModule,
  AgentTroubles,
  CLOCK,
  type Clock,
  DispatchProfiles,
  SinkDirectory,
  SinksModule,
} from '#runtime';
import { AGENT_DIRECTORY } from './agent-directory.ts';
import { registeredAgents } from './registered-agents.ts';
import { AGENT_MESSENGER } from './dispatcher-options.ts';
import { DispatcherMetrics } from './dispatcher-metrics.ts';
import { DispatcherController } from './dispatcher.controller.ts';
import { Dispatcher } from './dispatcher.ts';
import { EXPECTATION_TEXTS } from './expectation-texts.ts';
import { FollowMetrics } from './follow-metrics.ts';
import { NoticeMetrics } from './notices/notice-metrics.ts';
import { NOTICE_PORTS, type NoticePorts } from './notices/notices.ts';
import { ReminderInjector } from './reminders/reminder-injector.ts';
import { ReminderMetrics } from './reminders/reminder-metrics.ts';
import { REMINDER_PORTS, type ReminderPorts } from './reminders/reminders.ts';
import { ReadModelTexts } from './read-model-texts.ts';

export { DISPATCH_DATABASE, openDispatchDatabase } from './outbox/dispatch-database.ts';
export { DISPATCHER_OPTIONS, dispatcherOptions, type DispatcherOptions } from './dispatcher-options.ts';
export { DispatcherMetrics } from './dispatcher-metrics.ts';
export { FollowMetrics } from './follow-metrics.ts';
export { NoticeMetrics } from './notices/notice-metrics.ts';
export { ReminderMetrics } from './reminders/reminder-metrics.ts';

@Module({
  imports: [AgentsModule, SinksModule],
  controllers: [DispatcherController],
  providers: [
    Dispatcher,
    DispatcherMetrics,
    FollowMetrics,
    NoticeMetrics,
    ReminderMetrics,
    {
      provide: AGENT_DIRECTORY,
      inject: [AgentDirectory, DispatchProfiles],
      useFactory: registeredAgents,
    },
    {
      provide: AGENT_MESSENGER,
      inject: [OUTBOUND, CLOCK],
      useFactory: (outbound: Outbound, clock: Clock) => new SdkMessenger({ outbound, now: () => clock.now() }),
    },
    {
      provide: NOTICE_PORTS,
      inject: [SinkDirectory, OUTBOUND],
      useFactory: (sinks: SinkDirectory, outbound: Outbound): NoticePorts => ({ sinks, outbound }),
    },
    {
      provide: REMINDER_PORTS,
      inject: [AgentReminders, AgentTroubles, OUTBOUND, CLOCK],
      useFactory: (
        wishes: AgentReminders,
        troubles: AgentTroubles,
        outbound: Outbound,
        clock: Clock,
      ): ReminderPorts => ({
        ...{ wishes, troubles, injector: new ReminderInjector({ outbound, now: () => clock.now() }) },
      }),
    },
    {
      provide: EXPECTATION_TEXTS,
      inject: [{ token: READ_MODEL, optional: true }],
      useFactory: (readModel?: DataSource) => readModel && new ReadModelTexts(readModel),
    },
  ],
  exports: [DispatcherMetrics, FollowMetrics, NoticeMetrics, ReminderMetrics],
})
export class DispatcherModule {}
