// Reminds agents that asked for it, in the task that raised an expectation and while it runs: that it is due soon, that it has
// lapsed. At least once, under one id. A reminder is no outcome: nothing is decided by it, and no lapse task waits for one.
import type { DataSource } from 'typeorm';
import { parseInstant } from '#expectations';
import {
  type AgentOfTenant,
  type BackoffBounds,
  type Clock,
  type Random,
  type ReminderWish,
  retryDelayMs,
  type Untold,
} from '#runtime';
import type { AgentDirectory } from '../agent-directory.ts';
import { DueWork, nothing, type Settle } from '../due-work.ts';
import { findTarget } from '../find-target.ts';
import type { Gathering, Teller, Told } from '../ledger-follower.ts';
import type { PartitionOwnership } from '../outbox/partition-ownership.ts';
import type { SendRates } from '../send-rates.ts';
import { foldReminders } from './fold-reminders.ts';
import { OverTasks } from './over-tasks.ts';
import type { InjectOutcome, ReminderInjector } from './reminder-injector.ts';
import { agentConcerned, isEmpty, planOf } from './reminder-plan.ts';
import { type DueAgent, type DueReminder, ReminderRows } from './reminder-rows.ts';

/** The injection token of `ReminderPorts`; optional: without it nobody is reminded. */
export const REMINDER_PORTS = Symbol('ReminderPorts');

export interface ReminderPorts {
  readonly wishes: {
    /** Those of the agents that ever asked. */
    of(agents: readonly AgentOfTenant[]): Promise<readonly (AgentOfTenant & ReminderWish)[]>;
    find(tenant: string, agentId: string): Promise<ReminderWish | undefined>;
  };
  readonly troubles: {
    reminderUntold(tenant: string, agentId: string, untold: Untold): Promise<void>;
    reminderTold(tenant: string, agentId: string): Promise<void>;
  };
  readonly injector: Pick<ReminderInjector, 'inject'>;
}

/** How a reminder ended: as the agent answered, or because it was of no use any more. */
export type ReminderEnd = 'told' | 'over' | 'untold' | 'late';

export interface RemindersOptions extends ReminderPorts {
  readonly partition: number;
  readonly database: DataSource;
  readonly ownership: PartitionOwnership;
  readonly directory: AgentDirectory;
  readonly rates: SendRates;
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffBounds;
  /** To one agent, beside its lapses. */
  readonly perMinute: number;
  /** Resolves once the partition's ledger is in the tables up to its end; false where that is not to be any more. */
  readonly caughtUp: () => Promise<boolean>;
  /** Does it again and again until it answers false; waits after a fault. */
  readonly persist: (name: string, pass: () => Promise<boolean>) => Promise<void>;
  readonly onEnd: (end: ReminderEnd) => void;
}

/** What lapsed so long ago is no news to a task that runs. */
const mostAgeMs = 86_400_000;
/** Of one tenant so many agents of a partition are reminded at once. */
const agentsOfTenant = 4;

export class Reminders implements Teller {
  private readonly rows: ReminderRows;
  private readonly work: DueWork;
  private readonly over = new OverTasks();
  /** How often in a row an agent did not answer. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly options: RemindersOptions) {
    const { partition, database, ownership, clock, persist } = options;
    this.rows = new ReminderRows(database, partition, ownership);
    this.work = new DueWork({ clock, persist, name: 'Reminder', ofTenant: agentsOfTenant });
  }

  /** More may be due: a pause has ended. */
  wake(): void {
    this.work.wake();
  }

  async gather(told: readonly Told[]): Promise<Gathering | undefined> {
    const wishes = await this.wishesOf(told);
    if (wishes.size === 0) return undefined;
    const plan = planOf(told, {
      wishOf: (tenant, agentId) => wishes.get(nameOf({ tenant, agentId })),
      isKnownOver: (taskKey) => this.over.has(taskKey),
    });
    for (const taskKey of plan.overTasks) this.over.add(taskKey);
    if (isEmpty(plan)) return undefined;
    const { partition, clock } = this.options;
    const now = new Date(clock.now());
    return {
      write: (manager) => foldReminders(manager, partition, plan, now),
      written: () => this.work.wake(),
    };
  }

  /** Until `stopping` aborts, and what is being sent has ended: by itself, or because `abandoning` aborts. */
  async run(stopping: AbortSignal, abandoning: AbortSignal): Promise<void> {
    const begin = (due: DueAgent): boolean => this.begin(due, stopping, abandoning);
    await this.options.persist('Reminders', () => this.work.pass(this.rows, begin, stopping));
    await this.work.ended();
  }

  private async wishesOf(told: readonly Told[]): Promise<ReadonlyMap<string, ReminderWish>> {
    const agents = new Map<string, AgentOfTenant>();
    for (const each of told) {
      const agentId = agentConcerned(each);
      if (agentId === undefined) continue;
      const agent = { tenant: each.tenant, agentId };
      agents.set(nameOf(agent), agent);
    }
    const found = agents.size === 0 ? [] : await this.options.wishes.of([...agents.values()]);
    return new Map(found.map((wish) => [nameOf(wish), wish]));
  }

  private begin(due: DueAgent, stopping: AbortSignal, abandoning: AbortSignal): boolean {
    return this.work.beginSending(due.agentKey, due.tenant, () => this.tell(due, stopping, abandoning));
  }

  /** Sends the agent's next reminder. Throws faults, and then nothing was sent. */
  private async tell(
    { agentKey, tenant, agentId }: DueAgent,
    stopping: AbortSignal,
    abandoning: AbortSignal,
  ): Promise<Settle> {
    const { rates, clock, perMinute, directory, wishes, injector } = this.options;
    const wish = await wishes.find(tenant, agentId);
    const target = await findTarget(directory, tenant, agentId);
    const mostPerMinute = 'missing' in target ? undefined : target.dispatch?.ratePerMinute;
    const rate = Math.min(perMinute, mostPerMinute ?? perMinute);
    const { fromMs } = rates.reserve(tenant, `reminders ${agentKey}`, 1, rate);
    await clock.sleep(Math.max(0, fromMs - clock.now()), stopping);
    // The last look before bytes leave: what the ledger has closed by now has no row any more.
    if (stopping.aborted || !(await this.options.caughtUp())) return nothing;
    const reminder = await this.rows.next(agentKey, new Date(clock.now()));
    if (reminder === undefined) return nothing;
    if (!isWished(reminder, wish)) return () => this.rows.end(reminder);
    if (!isOfUse(reminder, clock.now())) return () => this.late(reminder);
    if ('missing' in target) return () => this.untold(reminder, { cause: 'unregistered', message: target.missing });
    const outcome = await injector.inject(target, reminder.expectation.taskId, reminder, abandoning);
    // Whoever comes next sends it again, under the same id.
    return abandoning.aborted ? nothing : () => this.settle(agentKey, reminder, outcome);
  }

  private async settle(agentKey: string, reminder: DueReminder, outcome: InjectOutcome): Promise<void> {
    const { tenant, expectation } = reminder;
    if (outcome.outcome === 'away') return this.postpone(agentKey, reminder, outcome.retryAfterMs);
    this.failures.delete(agentKey);
    if (outcome.outcome === 'untold') return this.untold(reminder, outcome);
    if (outcome.outcome === 'over') {
      this.over.add(reminder.taskKey);
      await this.rows.endTask(reminder);
    } else {
      await this.options.troubles.reminderTold(tenant, expectation.agentId);
      await this.rows.end(reminder);
    }
    this.options.onEnd(outcome.outcome);
  }

  private async postpone(agentKey: string, reminder: DueReminder, retryAfterMs = 0): Promise<void> {
    const { clock, random, backoff } = this.options;
    const failuresCount = (this.failures.get(agentKey) ?? 0) + 1;
    const delayMs = retryDelayMs(failuresCount, backoff, random, retryAfterMs);
    await this.rows.postpone(reminder, agentKey, new Date(clock.now() + delayMs));
    this.failures.set(agentKey, failuresCount);
  }

  /** Where the agent was tried in vain, an operator is shown that; where nobody could try, it is only counted. */
  private async late(reminder: DueReminder): Promise<void> {
    const message = 'it did not take it while that was of use';
    if (reminder.failuresCount > 0) return this.untold(reminder, { cause: 'away', message });
    await this.rows.end(reminder);
    this.options.onEnd('late');
  }

  private async untold(reminder: DueReminder, { cause, message }: Untold): Promise<void> {
    const { tenant, expectation } = reminder;
    if (cause === 'unknownTask') await this.rows.endTask(reminder);
    else await this.rows.end(reminder);
    await this.options.troubles.reminderUntold(tenant, expectation.agentId, { cause, message });
    this.options.onEnd('untold');
  }
}

function isWished({ occasion }: DueReminder, wish: ReminderWish | undefined): boolean {
  return occasion.type === 'lapsed' ? wish?.lapsed === true : wish?.beforeDueMs !== undefined;
}

function isOfUse({ occasion, dueAt }: DueReminder, nowMs: number): boolean {
  if (occasion.type === 'dueSoon') return nowMs < dueAt.getTime();
  return nowMs - parseInstant(occasion.lapse.lapsedAt) < mostAgeMs;
}

function nameOf({ tenant, agentId }: AgentOfTenant): string {
  return JSON.stringify([tenant, agentId]);
}
