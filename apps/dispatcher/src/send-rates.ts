// How many calls a minute go to one agent, and to all agents of one tenant: a token bucket each, by the clock.
// A tenant's agents share its rate in the order in which they ask, each for no more than one round at a time.
// It must never be asked with a tenant's slot in hand: who waits here would keep it from others.
import type { Clock } from '#runtime';

export interface SendRatesOptions {
  /** To one agent, where it has no rate of its own; 600 unless given. */
  readonly agentPerMinute?: number;
  /** To all agents of a tenant together; 6,000 unless given. */
  readonly tenantPerMinute?: number;
}

/** Leave for so many calls from an instant on. */
export interface Reserved {
  readonly count: number;
  readonly fromMs: number;
}

/** A bucket holds what comes in so long: at 600 a minute, 20. */
const burstMs = 2_000;
const sweepAfter = 1_000;

export class SendRates {
  private readonly clock: Clock;
  private readonly agentPerMinute: number;
  private readonly tenantPerMinute: number;
  /** When each bucket will be full again; one that is full is not kept. */
  private readonly fullAtMs = new Map<string, number>();
  private asksSinceSweep = 0;

  constructor(clock: Clock, { agentPerMinute = 600, tenantPerMinute = 6_000 }: SendRatesOptions = {}) {
    this.clock = clock;
    this.agentPerMinute = agentPerMinute;
    this.tenantPerMinute = tenantPerMinute;
  }

  /** Reserves up to `wanted` calls, at least one. `perMinute` is the agent's own rate, where it has one. */
  reserve(tenant: string, agentKey: string, wanted: number, perMinute = this.agentPerMinute): Reserved {
    this.sweep();
    const count = Math.max(1, Math.min(wanted, burstOf(perMinute), burstOf(this.tenantPerMinute)));
    const ofAgent = this.take(`agent ${agentKey}`, count, perMinute);
    const ofTenant = this.take(`tenant ${tenant}`, count, this.tenantPerMinute);
    return { count, fromMs: Math.max(ofAgent, ofTenant) };
  }

  /** When the bucket has so many. */
  private take(key: string, count: number, perMinute: number): number {
    const nowMs = this.clock.now();
    const eachMs = 60_000 / perMinute;
    const fullAtMs = Math.max(this.fullAtMs.get(key) ?? 0, nowMs) + count * eachMs;
    this.fullAtMs.set(key, fullAtMs);
    return Math.max(nowMs, fullAtMs - burstOf(perMinute) * eachMs);
  }

  private sweep(): void {
    this.asksSinceSweep += 1;
    if (this.asksSinceSweep < sweepAfter) return;
    this.asksSinceSweep = 0;
    const nowMs = this.clock.now();
    for (const [key, fullAtMs] of this.fullAtMs) if (fullAtMs <= nowMs) this.fullAtMs.delete(key);
  }
}

function burstOf(perMinute: number): number {
  return Math.max(1, Math.floor((perMinute * burstMs) / 60_000));
}
