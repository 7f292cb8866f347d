// One partition's dispatching, from the take-over of its rows until it lets go of them: follows the ledger, asks, sends,
// tells the log. Once another dispatcher has taken the rows over it must change none of them.
import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { EventLog, Served } from '#event-log';
import type { AgentMessenger } from '#protocol';
import { type Clock, isWorldFault, type Random, WakeUp } from '#runtime';
import { orEndProcess, untilAborted } from '#serving';
import type { AgentDirectory } from './agent-directory.ts';
import { AgentHealth } from './agent-health.ts';
import { AgentLane } from './agent-lane.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import type { ExpectationTexts } from './expectation-texts.ts';
import { LedgerFollower } from './ledger-follower.ts';
import { freshMs } from './notices/notice-gathering.ts';
import { type GivenUpReason, type NoticePorts, Notices } from './notices/notices.ts';
import type { LedgerChange } from './outbox/ledger-change.ts';
import { Outbox } from './outbox/outbox.ts';
import { OutboxFencedError } from './outbox/partition-ownership.ts';
import { persist } from './persist.ts';
import { isOfRefusals } from './refusals/refusal-change.ts';
import { RefusalRows } from './refusals/refusal-rows.ts';
import { Refusals } from './refusals/refusals.ts';
import { type ReminderEnd, type ReminderPorts, Reminders } from './reminders/reminders.ts';
import { Reporter } from './reporter.ts';
import { Sender } from './sender.ts';
import type { SendRates } from './send-rates.ts';
import type { TenantSlots } from './tenant-slots.ts';

const defaultBackoff = { baseMs: 1_000, capMs: 600_000 };
const defaultStopGraceMs = 5_000;
const defaultRefusalsPerMinute = 6;
const defaultRemindersPerMinute = 60;

export interface DispatchPorts {
  readonly log: EventLog;
  readonly database: DataSource;
  readonly directory: AgentDirectory;
  readonly messenger: AgentMessenger;
  readonly clock: Clock;
  readonly random: Random;
  readonly texts: ExpectationTexts | undefined;
  readonly options: DispatcherOptions;
  readonly slots: TenantSlots;
  readonly rates: SendRates;
  /** A lapse is to be sent that the agent may have. */
  readonly onPossibleDuplicate: () => void;
  /** Where people are told; undefined where they are not. */
  readonly notices: NoticePorts | undefined;
  /** A notification is not sent any more. */
  readonly onNoticeGivenUp: (reason: GivenUpReason) => void;
  /** Where running tasks are reminded; undefined where they are not. */
  readonly reminders: ReminderPorts | undefined;
  readonly onReminderEnd: (end: ReminderEnd) => void;
}

export class PartitionDispatcher {
  private readonly logger = new Logger(PartitionDispatcher.name);
  private readonly stopping = new AbortController();
  private readonly abandoning = new AbortController();
  private readonly lanes = new Map<string, { readonly lane: AgentLane; readonly running: Promise<void> }>();
  /** The agents without a lane that answered when they were called last. */
  private readonly answering = new Set<string>();
  private readonly outbox: Outbox;
  private readonly follower: LedgerFollower;
  private readonly notices: Notices | undefined;
  private readonly reminders: Reminders | undefined;
  private readonly sender: Sender;
  private readonly reporter: Reporter;
  private readonly reportsDue: WakeUp;
  private readonly refusals: Refusals;
  /** People being told, agents of what was refused, and running tasks reminded, from the take-over on. */
  private telling: Promise<unknown> = Promise.resolve();
  private isFenced = false;

  constructor(
    private readonly partition: number,
    private readonly ports: DispatchPorts,
  ) {
    const { log, database, directory, messenger, texts, clock, random, rates, options, onPossibleDuplicate } = ports;
    // As many agents as there are wait for them.
    setMaxListeners(0, this.stopping.signal, this.abandoning.signal);
    const outbox = new Outbox(database, partition);
    this.outbox = outbox;
    this.reportsDue = new WakeUp(clock);
    this.notices = this.noticesOf(outbox);
    this.reminders = this.remindersOf(outbox);
    const followed = { log, outbox, clock, people: this.notices, reminders: this.reminders };
    this.follower = new LedgerFollower(partition, followed, (change) => this.changed(change));
    const onTold = (agentKey: string): void => this.laneOf(agentKey).wake();
    this.reporter = new Reporter({ log, outbox, partition, wakeUp: this.reportsDue, onTold });
    this.sender = new Sender({
      ...{ outbox, directory, messenger, texts, clock, onPossibleDuplicate },
      caughtUp: () => this.caughtUp(),
      wakeReporter: () => this.reportsDue.wake(),
    });
    this.refusals = new Refusals({
      ...{ partition, log, directory, messenger, clock, random, rates },
      rows: new RefusalRows(database, partition, outbox.ownership),
      backoff: options.backoff ?? defaultBackoff,
      perMinute: options.refusalsPerMinute ?? defaultRefusalsPerMinute,
      caughtUp: () => this.caughtUp(),
      persist: (name, pass) => this.persist(name, pass),
    });
  }

  /** How far it has read the ledger; undefined while it is not known where to begin. */
  get nextOffset(): number | undefined {
    return this.follower.nextOffset;
  }

  /** Takes up what an earlier dispatcher left, and goes on until `signal` aborts or another takes over. Never rejects. */
  async run(signal: AbortSignal): Promise<Served> {
    const stop = (): void => this.stopping.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    const running = this.begin();
    await untilAborted(this.stopping.signal);
    signal.removeEventListener('abort', stop);
    await orEndProcess(this.end(running));
    return this.isFenced ? 'fenced' : 'left';
  }

  private async begin(): Promise<void> {
    await this.persist('Outbox', async () => {
      await this.outbox.takeOver(new Date(this.ports.clock.now() - freshMs));
      return false;
    });
    const { signal } = this.stopping;
    const { signal: abandoned } = this.abandoning;
    const notices = signal.aborted ? undefined : this.notices?.run(signal, abandoned);
    const reminders = signal.aborted ? undefined : this.reminders?.run(signal, abandoned);
    this.telling = Promise.all([notices, reminders, this.refusals.run(signal, abandoned)]);
    await Promise.all([
      this.persist('LedgerFollower', () => this.follower.pass(signal)),
      this.persist('Reporter', () => this.reporter.pass(signal)),
      this.persist('Outbox', async () => {
        for (const agentKey of await this.outbox.agentsWaitedFor()) this.laneOf(agentKey).wake();
        return false;
      }),
    ]);
  }

  /** Begins nothing new, gives what is being sent a bounded while, and writes down how it ended. */
  private async end(running: Promise<void>): Promise<void> {
    const lanes = Promise.all([...[...this.lanes.values()].map((lane) => lane.running), this.telling]);
    const { clock, options } = this.ports;
    const ended = new AbortController();
    const graceMs = this.isFenced ? 0 : (options.stopGraceMs ?? defaultStopGraceMs);
    const grace = clock.sleep(graceMs, ended.signal);
    await Promise.race([lanes, grace.then(() => this.abandoning.abort())]);
    ended.abort();
    await Promise.all([lanes, running]);
    try {
      if (this.outbox.ownership.isTaken && !this.isFenced) {
        await Promise.all([this.reporter.tell(), this.refusals.report()]);
      }
    } catch (error) {
      if (error instanceof OutboxFencedError) this.fenced(error);
      else if (!isWorldFault(error)) throw error;
      else this.logger.warn(`partition ${this.partition}: the log is told the last outcomes by whoever comes next`);
    }
  }

  private noticesOf({ ownership }: Outbox): Notices | undefined {
    const { notices: ports, database, clock, random, options, onNoticeGivenUp: onGivenUp } = this.ports;
    return (
      ports &&
      new Notices({
        ...{ ...ports, database, clock, random, onGivenUp, ownership, partition: this.partition },
        backoff: options.backoff ?? defaultBackoff,
        persist: (name, pass) => this.persist(name, pass),
      })
    );
  }

  private remindersOf({ ownership }: Outbox): Reminders | undefined {
    const { reminders: ports, database, directory, rates, clock, random, options, onReminderEnd: onEnd } = this.ports;
    return (
      ports &&
      new Reminders({
        ...{ ...ports, database, directory, rates, clock, random, onEnd, ownership, partition: this.partition },
        backoff: options.backoff ?? defaultBackoff,
        perMinute: options.remindersPerMinute ?? defaultRemindersPerMinute,
        caughtUp: () => this.caughtUp(),
        persist: (name, pass) => this.persist(name, pass),
      })
    );
  }

  private changed(change: LedgerChange): void {
    if (isOfRefusals(change)) return this.refusals.wake();
    if (!('agentKey' in change)) {
      // An agent of whom anything waits, under a pause too, has its lane.
      if (change.type !== 'resumed') return;
      for (const { lane } of this.lanes.values()) lane.wake();
      this.refusals.wake();
      this.reminders?.wake();
      return;
    }
    const lane = this.laneOf(change.agentKey);
    if (change.type === 'declared') lane.renew();
    else lane.wake();
  }

  private async caughtUp(): Promise<boolean> {
    const { signal } = this.stopping;
    await this.follower.caughtUp(signal);
    return !signal.aborted;
  }

  private laneOf(agentKey: string): AgentLane {
    const known = this.lanes.get(agentKey);
    if (known !== undefined) return known.lane;
    const { clock, random, options, slots, rates } = this.ports;
    const health = new AgentHealth(options.backoff ?? defaultBackoff, random, this.answering.has(agentKey));
    const { outbox, sender } = this;
    const lane = new AgentLane(agentKey, { outbox, sender, health, slots, rates, clock });
    const running = this.persist('AgentLane', async () => {
      const isWaited = await lane.pass(this.stopping.signal, this.abandoning.signal);
      // A wake-up that came after the lane had seen that nothing waits keeps it.
      const goesOn = isWaited || lane.isWoken;
      if (!goesOn) this.endLane(agentKey, health);
      return goesOn;
    });
    this.lanes.set(agentKey, { lane, running });
    return lane;
  }

  /** The lane has nothing to do; of its agent only the standing is kept. */
  private endLane(agentKey: string, { standing }: AgentHealth): void {
    this.lanes.delete(agentKey);
    if (standing === 'answering') this.answering.add(agentKey);
    else this.answering.delete(agentKey);
  }

  /** A bug ends the process; another's take-over ends all work here. */
  private persist(name: string, pass: () => Promise<boolean>): Promise<void> {
    const { clock, random } = this.ports;
    const kept = persist(name, { clock, random, signal: this.stopping.signal }, pass);
    return orEndProcess(
      kept.catch((error: unknown) => {
        if (!(error instanceof OutboxFencedError)) throw error;
        this.fenced(error);
      }),
    );
  }

  private fenced(error: OutboxFencedError): void {
    if (!this.isFenced) this.logger.warn(`partition ${this.partition}: ${error.message}`);
    this.isFenced = true;
    this.stopping.abort();
  }
}
