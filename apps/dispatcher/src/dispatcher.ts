// Submits every lapse to the agent that raised it, once: follows the ledger, asks, sends, and tells the log.
// There must be one dispatcher a partition; each owns its partitions' rows.
import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog } from '#event-log';
import type { AgentMessenger } from '#protocol';
import { CLOCK, type Clock, EVENT_LOG, RANDOM, type Random } from '#runtime';
import { AGENT_DIRECTORY, type AgentDirectory } from './agent-directory.ts';
import { AgentHealth } from './agent-health.ts';
import { AgentLane } from './agent-lane.ts';
import { AGENT_MESSENGER, DISPATCHER_OPTIONS, type DispatcherOptions } from './dispatcher-options.ts';
import { EXPECTATION_TEXTS, type ExpectationTexts } from './expectation-texts.ts';
import { LedgerFollower } from './ledger-follower.ts';
import { DISPATCH_DATABASE } from './outbox/dispatch-database.ts';
import type { LedgerChange } from './outbox/ledger-change.ts';
import { Outbox } from './outbox/outbox.ts';
import { isFault, persist } from './persist.ts';
import { Reporter } from './reporter.ts';
import { Sender } from './sender.ts';
import { TenantSlots } from './tenant-slots.ts';
import { WakeUp } from './wake-up.ts';

const defaultBackoff = { baseMs: 1_000, capMs: 600_000 };
const defaultStopGraceMs = 5_000;

@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Dispatcher.name);
  private readonly stopping = new AbortController();
  private readonly abandoning = new AbortController();
  private readonly followers: readonly LedgerFollower[];
  private readonly lanes = new Map<string, { readonly lane: AgentLane; readonly running: Promise<void> }>();
  private readonly slots = new TenantSlots();
  /** The agents without a lane that answered when they were called last. */
  private readonly answering = new Set<string>();
  private readonly outbox: Outbox;
  private readonly sender: Sender;
  private readonly reporter: Reporter;
  private readonly reportsDue: WakeUp;
  private readonly options: DispatcherOptions;
  private running: readonly Promise<void>[] = [];

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(DISPATCH_DATABASE) database: DataSource,
    @Inject(AGENT_DIRECTORY) directory: AgentDirectory,
    @Inject(AGENT_MESSENGER) messenger: AgentMessenger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RANDOM) private readonly random: Random,
    @Optional() @Inject(EXPECTATION_TEXTS) texts?: ExpectationTexts,
    @Optional() @Inject(DISPATCHER_OPTIONS) options?: DispatcherOptions,
  ) {
    this.options = options ?? {};
    // As many agents as there are wait for them.
    setMaxListeners(0, this.stopping.signal, this.abandoning.signal);
    this.outbox = new Outbox(database);
    this.reportsDue = new WakeUp(clock);
    const partitions = this.options.partitions ?? Array.from({ length: log.partitionCount }, (_, index) => index);
    const ports = { log, outbox: this.outbox, clock };
    this.followers = partitions.map(
      (partition) => new LedgerFollower(partition, ports, (change) => this.changed(change)),
    );
    this.reporter = new Reporter({
      log,
      outbox: this.outbox,
      partitions,
      wakeUp: this.reportsDue,
      onTold: (agentKey) => this.laneOf(agentKey).wake(),
    });
    this.sender = new Sender({
      outbox: this.outbox,
      directory,
      messenger,
      texts,
      clock,
      caughtUp: (partition) => this.caughtUp(partition),
      wakeReporter: () => this.reportsDue.wake(),
    });
  }

  /** Takes up what an earlier process left, and follows the ledger from there. A bug ends the process. */
  onApplicationBootstrap(): void {
    const { signal } = this.stopping;
    this.running = [
      ...this.followers.map((follower) => this.persist('LedgerFollower', () => follower.pass(signal))),
      this.persist('Reporter', () => this.reporter.pass(signal)),
      this.persist('Dispatcher', async () => {
        const partitions = this.followers.map(({ partition }) => partition);
        for (const agentKey of await this.outbox.agentsWaitedFor(partitions)) this.laneOf(agentKey).wake();
        return false;
      }),
    ];
  }

  /** Begins nothing new, gives what is being sent a bounded while, and writes down how it ended. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    const lanes = Promise.all([...this.lanes.values()].map(({ running }) => running));
    const ended = new AbortController();
    const grace = this.clock.sleep(this.options.stopGraceMs ?? defaultStopGraceMs, ended.signal);
    await Promise.race([lanes, grace.then(() => this.abandoning.abort())]);
    ended.abort();
    await Promise.all([lanes, ...this.running]);
    try {
      await this.reporter.tell();
    } catch (error) {
      if (!isFault(error)) throw error;
      this.logger.warn('the log is told the last outcomes after the next start');
    }
  }

  private changed(change: LedgerChange): void {
    const lane = this.laneOf(change.agentKey);
    if (change.type === 'declared') lane.renew();
    else lane.wake();
  }

  private async caughtUp(partition: number): Promise<boolean> {
    const { signal } = this.stopping;
    await this.followers.find((follower) => follower.partition === partition)?.caughtUp(signal);
    return !signal.aborted;
  }

  private laneOf(agentKey: string): AgentLane {
    const known = this.lanes.get(agentKey);
    if (known !== undefined) return known.lane;
    const isAnswering = this.answering.has(agentKey);
    const health = new AgentHealth(this.options.backoff ?? defaultBackoff, this.random, isAnswering);
    const { outbox, sender, slots, clock } = this;
    const lane = new AgentLane(agentKey, { outbox, sender, health, slots, clock });
    const running = this.persist('AgentLane', async () => {
      const isWaited = await lane.pass(this.stopping.signal, this.abandoning.signal);
      // A wake-up that came after the lane had seen that nothing waits keeps it.
      const goesOn = isWaited || lane.isWoken;
      if (!goesOn) this.end(agentKey, health);
      return goesOn;
    });
    this.lanes.set(agentKey, { lane, running });
    return lane;
  }

  /** The lane has nothing to do; of its agent only the standing is kept. */
  private end(agentKey: string, { standing }: AgentHealth): void {
    this.lanes.delete(agentKey);
    if (standing === 'answering') this.answering.add(agentKey);
    else this.answering.delete(agentKey);
  }

  private persist(name: string, pass: () => Promise<boolean>): Promise<void> {
    return persist(name, { clock: this.clock, random: this.random, signal: this.stopping.signal }, pass);
  }
}
