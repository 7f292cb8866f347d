// How many calls a minute go to one agent, and to all agents of one tenant: a token bucket each, by the clock.
// A tenant's agents share its rate in the order in which they ask, each for no more than one round at a time.
// It must never be asked with a tenant's slot in hand: who waits here would keep it from others.
import { Buckets, type Clock } from '#runtime';

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

export class SendRates {
  private readonly clock: Clock;
  private readonly agentPerMinute: number;
  private readonly tenantPerMinute: number;
  private readonly buckets: Buckets;

  constructor(clock: Clock, { agentPerMinute = 600, tenantPerMinute = 6_000 }: SendRatesOptions = {}) {
    this.clock = clock;
    this.buckets = new Buckets(clock);
    this.agentPerMinute = agentPerMinute;
    this.tenantPerMinute = tenantPerMinute;
  }

  /** Reserves up to `wanted` calls, at least one. `perMinute` is the agent's own rate, where it has one. */
  reserve(tenant: string, agentKey: string, wanted: number, perMinute = this.agentPerMinute): Reserved {
    const count = Math.max(1, Math.min(wanted, burstOf(perMinute), burstOf(this.tenantPerMinute)));
    const ofAgent = this.take(`agent ${agentKey}`, count, perMinute);
    const ofTenant = this.take(`tenant ${tenant}`, count, this.tenantPerMinute);
    return { count, fromMs: Math.max(ofAgent, ofTenant) };
  }

  /** When the bucket has so many. */
  private take(key: string, count: number, perMinute: number): number {
    const nowMs = this.clock.now();
    const eachMs = 60_000 / perMinute;
    const fullAtMs = this.buckets.fullAfter(key, count, eachMs);
    this.buckets.take(key, fullAtMs);
    return Math.max(nowMs, fullAtMs - burstOf(perMinute) * eachMs);
  }
}

function burstOf(perMinute: number): number {
  return Math.max(1, Math.floor((perMinute * burstMs) / 60_000));
}
