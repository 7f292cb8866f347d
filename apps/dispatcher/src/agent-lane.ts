// One agent's lapses, the oldest first, a few at once. An agent that is slow or dead delays nobody but itself.
import type { Clock } from '#runtime';
import type { AgentHealth } from './agent-health.ts';
import type { Outbox, WaitingLapse } from './outbox/outbox.ts';
import type { Sender } from './sender.ts';
import type { TenantSlots } from './tenant-slots.ts';
import { WakeUp } from './wake-up.ts';

/** How many submissions to one agent are under way at once. */
const concurrentSends = 4;
/** How many of the oldest leave to send is asked for ahead, so that the log's answer is not waited for each time. */
const askedAhead = 16;
const idleMs = 300_000;

export class AgentLane {
  private readonly agentKey: string;
  private readonly outbox: Outbox;
  private readonly sender: Sender;
  private readonly health: AgentHealth;
  private readonly slots: TenantSlots;
  private readonly clock: Clock;
  private readonly wakeUp: WakeUp;
  private notBeforeMs = 0;

  constructor(
    agentKey: string,
    parts: {
      readonly outbox: Outbox;
      readonly sender: Sender;
      readonly health: AgentHealth;
      readonly slots: TenantSlots;
      readonly clock: Clock;
    },
  ) {
    this.agentKey = agentKey;
    this.outbox = parts.outbox;
    this.sender = parts.sender;
    this.health = parts.health;
    this.slots = parts.slots;
    this.clock = parts.clock;
    this.wakeUp = new WakeUp(parts.clock);
  }

  /** Something of the agent's has changed. */
  wake(): void {
    this.wakeUp.wake();
  }

  /** Whether it was woken and has not rested since. */
  get isWoken(): boolean {
    return this.wakeUp.isDue;
  }

  /** The agent was registered anew: what is known of its health no longer counts. */
  renew(): void {
    this.health.reset();
    this.notBeforeMs = 0;
    this.wake();
  }

  /**
   * One round, or a wait. False once nothing of the agent's waits any more. `stopping` ends waits; `abandoning` ends
   * sends. Throws faults; may be called again, and then finds what was under way unknown.
   */
  async pass(stopping: AbortSignal, abandoning: AbortSignal): Promise<boolean> {
    this.wakeUp.take();
    const nowMs = this.clock.now();
    if (nowMs < this.notBeforeMs) {
      await this.wakeUp.sleep(this.notBeforeMs - nowMs, stopping);
      return true;
    }
    const now = new Date(nowMs);
    const oldest = await this.outbox.oldest(this.agentKey, this.health.isFailing ? 1 : askedAhead, now);
    const open = oldest.filter(({ state, isUntold }) => !isUntold && state !== 'asked');
    if (open.length === 0) return this.rest(oldest.length > 0, now, stopping);
    const pending = open.filter(({ state }) => state === 'pending');
    const attempts = open.filter(({ state }) => state !== 'pending').slice(0, concurrentSends);
    const done = await Promise.allSettled([this.sender.ask(pending), this.advance(attempts, stopping, abandoning)]);
    for (const result of done) if (result.status === 'rejected') throw result.reason;
    return true;
  }

  /** Calls the agent, once the tenant has room for it. */
  private async advance(
    attempts: readonly WaitingLapse[],
    stopping: AbortSignal,
    abandoning: AbortSignal,
  ): Promise<void> {
    const [first] = attempts;
    if (first === undefined) return;
    const owner = { tenant: first.tenant, standing: this.health.standing };
    await this.slots.within(owner, stopping, async () => {
      const done = await Promise.allSettled(
        attempts.map((lapse) => this.sender.advance(lapse, this.health, abandoning)),
      );
      this.notBeforeMs = this.clock.now() + this.health.endRound();
      for (const result of done) if (result.status === 'rejected') throw result.reason;
    });
  }

  // What stands first may wait for the ledger's answer; else only time, or the ledger, brings something to do.
  private async rest(isAnswerDue: boolean, now: Date, stopping: AbortSignal): Promise<boolean> {
    const nextAt = isAnswerDue ? undefined : await this.outbox.nextAt(this.agentKey, now);
    if (!isAnswerDue && nextAt === undefined) return false;
    await this.wakeUp.sleep(nextAt === undefined ? idleMs : nextAt.getTime() - this.clock.now(), stopping);
    return true;
  }
}
