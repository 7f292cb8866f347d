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
import { DISPATCH_DATABASE } from './outbox/dispatch-database.ts';
import { type DispatchPorts, PartitionDispatcher } from './partition-dispatcher.ts';
import { TenantSlots } from './tenant-slots.ts';

@Injectable()
export class Dispatcher {
  private readonly ports: DispatchPorts;

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DISPATCH_DATABASE) database: DataSource,
    @Inject(AGENT_DIRECTORY) directory: AgentDirectory,
    @Inject(AGENT_MESSENGER) messenger: AgentMessenger,
    @Inject(CLOCK) clock: Clock,
    @Inject(RANDOM) random: Random,
    @Optional() @Inject(EXPECTATION_TEXTS) texts?: ExpectationTexts,
    @Optional() @Inject(DISPATCHER_OPTIONS) options: DispatcherOptions = {},
  ) {
    const slots = new TenantSlots();
    this.ports = { log, database, directory, messenger, clock, random, texts, options, slots };
  }

  /** Serves a partition until `signal` aborts, or another takes it over. Never rejects (`Serve`): a bug ends the process. */
  serve(partition: number, signal: AbortSignal): Promise<Served> {
    return new PartitionDispatcher(partition, this.ports).run(signal);
  }
}
