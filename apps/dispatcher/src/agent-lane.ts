// One agent's lapses, the oldest first, a few at once. An agent that is slow or dead delays nobody but itself.
import { type Clock, WakeUp } from '#runtime';
import type { AgentHealth } from './agent-health.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { WaitingLapse } from './outbox/waiting-lapse.ts';
import type { Sender } from './sender.ts';
import type { Reserved, SendRates } from './send-rates.ts';
import type { TenantSlots } from './tenant-slots.ts';

/** How many submissions to one agent are under way at once. */
const concurrentSends = 4;
/** How many of the oldest leave to send is asked for ahead, so that the log's answer is not waited for each time. */
const askedAhead = 16;
/** Behind what waits for the ledger's answer others may come due, or a pause may end. */
const answerIdleMs = 15_000;

export class AgentLane {
  private readonly agentKey: string;
  private readonly outbox: Outbox;
  private readonly sender: Sender;
  private readonly health: AgentHealth;
  private readonly slots: TenantSlots;
  private readonly rates: SendRates;
  private readonly clock: Clock;
  private readonly wakeUp: WakeUp;
  private notBeforeMs = 0;
  /** Leave for the next calls, not used yet. */
  private reserved: Reserved | undefined;
  /** The agent's own rate, once it was looked up; null where it has none. */
  private ratePerMinute: number | null | undefined;

  constructor(
    agentKey: string,
    parts: {
      readonly outbox: Outbox;
      readonly sender: Sender;
      readonly health: AgentHealth;
      readonly slots: TenantSlots;
      readonly rates: SendRates;
      readonly clock: Clock;
    },
  ) {
    this.agentKey = agentKey;
    this.outbox = parts.outbox;
    this.sender = parts.sender;
    this.health = parts.health;
    this.slots = parts.slots;
    this.rates = parts.rates;
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

  /** The agent was registered anew: what is known of its health, and of its rate, no longer counts. */
  renew(): void {
    this.health.reset();
    this.ratePerMinute = undefined;
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
    const notBeforeMs = Math.max(this.notBeforeMs, this.reserved?.fromMs ?? 0);
    if (nowMs < notBeforeMs) {
      await this.wakeUp.sleep(notBeforeMs - nowMs, stopping);
      return true;
    }
    const now = new Date(nowMs);
    const oldest = await this.outbox.oldest(this.agentKey, this.health.isFailing ? 1 : askedAhead, now);
    const open = oldest.filter(({ state, isUntold }) => !isUntold && state !== 'asked');
    if (open.length === 0) return this.rest(oldest.length > 0, now, stopping);
    const pending = open.filter(({ state }) => state === 'pending');
    const attempts = await this.allowed(open.filter(({ state }) => state !== 'pending').slice(0, concurrentSends));
    const done = await Promise.allSettled([this.sender.ask(pending), this.advance(attempts, stopping, abandoning)]);
    for (const result of done) if (result.status === 'rejected') throw result.reason;
    return true;
  }

  /** Those of the attempts that the rates have room for now: else there is leave for them later. */
  private async allowed(attempts: readonly WaitingLapse[]): Promise<readonly WaitingLapse[]> {
    const [first] = attempts;
    if (first === undefined) return [];
    if (this.ratePerMinute === undefined) this.ratePerMinute = (await this.sender.ratePerMinute(first)) ?? null;
    const perMinute = this.ratePerMinute ?? undefined;
    this.reserved ??= this.rates.reserve(first.tenant, this.agentKey, attempts.length, perMinute);
    const { count, fromMs } = this.reserved;
    if (fromMs > this.clock.now()) return [];
    this.reserved = undefined;
    return attempts.slice(0, count);
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
    await this.wakeUp.sleep(nextAt === undefined ? answerIdleMs : nextAt.getTime() - this.clock.now(), stopping);
    return true;
  }
}
