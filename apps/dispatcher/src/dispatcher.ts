// Submits every lapse to the agent that raised it, once: of each partition that is this process's it follows the ledger,
// asks, sends, and tells the log.
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog, Served } from '#event-log';
import type { AgentMessenger } from '#protocol';
import { CLOCK, type Clock, EVENT_LOG, RANDOM, type Random } from '#runtime';
import { AGENT_DIRECTORY, type AgentDirectory } from './agent-directory.ts';
import { AGENT_MESSENGER, DISPATCHER_OPTIONS, type DispatcherOptions } from './dispatcher-options.ts';
import { EXPECTATION_TEXTS, type ExpectationTexts } from './expectation-texts.ts';
import { type GivenUpReason, NOTICE_PORTS, type NoticePorts } from './notices/notices.ts';
import { DISPATCH_DATABASE } from './outbox/dispatch-database.ts';
import { type DispatchPorts, PartitionDispatcher } from './partition-dispatcher.ts';
import { REMINDER_PORTS, type ReminderEnd, type ReminderPorts } from './reminders/reminders.ts';
import { SendRates } from './send-rates.ts';
import { TenantSlots } from './tenant-slots.ts';

@Injectable()
export class Dispatcher {
  private readonly ports: DispatchPorts;
  private readonly serving = new Map<number, PartitionDispatcher>();
  /** Attempts of this process that may have made a second task. */
  possibleDuplicatesCount = 0;
  /** Notifications that their sinks will not be told, by why. */
  readonly noticesGivenUp: Record<GivenUpReason, number> = { refused: 0, untaken: 0 };
  /** Reminders that are over, by how. */
  readonly remindersEnded: Record<ReminderEnd, number> = { told: 0, over: 0, untold: 0, late: 0 };

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DISPATCH_DATABASE) database: DataSource,
    @Inject(AGENT_DIRECTORY) directory: AgentDirectory,
    @Inject(AGENT_MESSENGER) messenger: AgentMessenger,
    @Inject(CLOCK) clock: Clock,
    @Inject(RANDOM) random: Random,
    @Optional() @Inject(EXPECTATION_TEXTS) texts?: ExpectationTexts,
    @Optional() @Inject(DISPATCHER_OPTIONS) options: DispatcherOptions = {},
    @Optional() @Inject(NOTICE_PORTS) notices?: NoticePorts,
    @Optional() @Inject(REMINDER_PORTS) reminders?: ReminderPorts,
  ) {
    const shared = { slots: new TenantSlots(), rates: new SendRates(clock, options.rates) };
    const onPossibleDuplicate = (): void => void (this.possibleDuplicatesCount += 1);
    const onNoticeGivenUp = (reason: GivenUpReason): void => void (this.noticesGivenUp[reason] += 1);
    const onReminderEnd = (end: ReminderEnd): void => void (this.remindersEnded[end] += 1);
    const given = { log, database, directory, messenger, clock, random, texts, options, notices, reminders };
    this.ports = { ...given, ...shared, onPossibleDuplicate, onNoticeGivenUp, onReminderEnd };
  }

  /** The partitions that this process serves. */
  get partitions(): readonly number[] {
    return [...this.serving.keys()];
  }

  /** How far it has read the ledger of each, where that is known. */
  get followed(): readonly { readonly partition: number; readonly nextOffset: number }[] {
    return [...this.serving].flatMap(([partition, { nextOffset }]) =>
      nextOffset === undefined ? [] : { partition, nextOffset },
    );
  }

  /** Serves a partition until `signal` aborts, or another takes it over. Never rejects (`Serve`): a bug ends the process. */
  async serve(partition: number, signal: AbortSignal): Promise<Served> {
    const dispatcher = new PartitionDispatcher(partition, this.ports);
    this.serving.set(partition, dispatcher);
    try {
      return await dispatcher.run(signal);
    } finally {
      this.serving.delete(partition);
    }
  }
}
