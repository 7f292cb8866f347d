// How many messages a second are noted of one agent, and of all agents of a tenant: each is a row that is written before it
// is sent on, and anybody may send some. A bucket each, by the clock.
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Buckets, CLOCK, type Clock, Problem } from '#runtime';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from './gateway-limits.ts';

/** A bucket holds what comes in so long. */
const burstMs = 2_000;

@Injectable()
export class NoteRates {
  private readonly buckets: Buckets;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(GATEWAY_LIMITS) private readonly limits: GatewayLimits = gatewayLimits,
  ) {
    this.buckets = new Buckets(clock);
  }

  /** Takes one from both buckets. Throws `Problem` (`tenant-overloaded`), and takes none, where one is empty. */
  take(tenant: string, agentId: string): void {
    const { agentPerSecond, tenantPerSecond } = this.limits.notes;
    const [ofAgent, ofTenant] = [JSON.stringify([tenant, agentId]), tenant];
    const agentFullAtMs = this.after(ofAgent, agentPerSecond);
    const tenantFullAtMs = this.after(ofTenant, tenantPerSecond);
    if (agentFullAtMs === undefined || tenantFullAtMs === undefined) {
      const whom = agentFullAtMs === undefined ? 'this agent is' : 'this tenant’s agents are';
      throw new Problem('tenant-overloaded', `${whom} sent too many messages a second: send it again`);
    }
    this.buckets.take(ofAgent, agentFullAtMs);
    this.buckets.take(ofTenant, tenantFullAtMs);
  }

  /** When the bucket will be full once one more is taken; undefined where there is none. */
  private after(key: string, perSecond: number): number | undefined {
    const fullAtMs = this.buckets.fullAfter(key, 1, 1_000 / perSecond);
    return fullAtMs - this.clock.now() > burstMs ? undefined : fullAtMs;
  }
}
