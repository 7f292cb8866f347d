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

export class GatewayShare {
  private bytes = 0;
  private count = 0;

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

  /** Gives back all that was taken. */
  free(): void {
    this.agents.free(this.agent, this.bytes, this.count);
    this.tenants.free(this.tenant, this.bytes, this.count);
    this.bytes = 0;
    this.count = 0;
  }
}

function full(answer: Exclude<ShareAnswer, 'taken'>): Problem {
  if (answer === 'allFull') return new Problem('overloaded', 'there is too much under way: send it again');
  return new Problem('tenant-overloaded', 'this tenant’s agents have too much under way: send it again');
}
