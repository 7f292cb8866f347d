// How much is under way through the gateway, apart from the API's own: anybody may call an agent, and what calls to it hold
// must leave room for the tenant's writes. It must never give a share back before what it was taken for has ended.
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Problem, type ShareAnswer, TenantShares } from '#runtime';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from './gateway-limits.ts';

@Injectable()
export class GatewayShares {
  private readonly tenants: TenantShares;
  private readonly agents: TenantShares;

  constructor(@Optional() @Inject(GATEWAY_LIMITS) { shares }: GatewayLimits = gatewayLimits) {
    this.tenants = new TenantShares(shares);
    this.agents = new TenantShares({
      ...{ tenantCount: shares.agentCount, tenantBytes: shares.agentBytes },
      ...{ allCount: Infinity, allBytes: Infinity },
    });
  }

  /** Of one request; it holds nothing yet. */
  of(tenant: string, agentId: string): GatewayShare {
    return new GatewayShare(this.tenants, this.agents, tenant, JSON.stringify([tenant, agentId]));
  }
}

/** So much of an answer is kept by everybody: what is under way is bounded by its count. */
const freeBytes = 16_384;

export class GatewayShare {
  private bytes = 0;
  private count = 0;
  /** Of `bytes`, what is the answer's. */
  private held = 0;

  constructor(
    private readonly tenants: TenantShares,
    private readonly agents: TenantShares,
    private readonly tenant: string,
    private readonly agent: string,
  ) {}

  /** Throws `Problem` (`tenant-overloaded`, `overloaded`) where no other request may be under way, or not so many bytes more. */
  take(bytes: number, count = 0): void {
    if (this.agents.take(this.agent, bytes, count) !== 'taken') {
      throw new Problem('tenant-overloaded', 'this agent has too much under way: send it again, and less at once');
    }
    const answer = this.tenants.take(this.tenant, bytes, count);
    if (answer !== 'taken') {
      this.agents.free(this.agent, bytes, count);
      throw full(answer);
    }
    this.bytes += bytes;
    this.count += count;
  }

  /** So many bytes of the answer are kept now. Throws as `take`, and holds then what it held. */
  hold(bytes: number): void {
    const held = Math.max(0, bytes - freeBytes);
    if (held > this.held) this.take(held - this.held);
    else this.give(this.held - held, 0);
    this.held = held;
  }

  /** Gives back all that was taken. */
  free(): void {
    this.give(this.bytes, this.count);
    this.held = 0;
  }

  private give(bytes: number, count: number): void {
    this.agents.free(this.agent, bytes, count);
    this.tenants.free(this.tenant, bytes, count);
    this.bytes -= bytes;
    this.count -= count;
  }
}

function full(answer: Exclude<ShareAnswer, 'taken'>): Problem {
  if (answer === 'allFull') return new Problem('overloaded', 'there is too much under way: send it again');
  return new Problem('tenant-overloaded', 'this tenant’s agents have too much under way: send it again');
}
