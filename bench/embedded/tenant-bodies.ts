// The bodies of each of a bench's tenants, who all hand out ids of their own.
import { Bodies } from './bodies.ts';
import type { Tenant } from './tenants.ts';

export class TenantBodies {
  private readonly bodies: ReadonlyMap<Tenant, Bodies>;

  constructor(
    private readonly scale: number,
    tenants: readonly Tenant[],
  ) {
    this.bodies = new Map(tenants.map((tenant) => [tenant, new Bodies()]));
  }

  /** A count at full scale, as this run has it: a multiple of `of`, and at least one of it. */
  scaled(count: number, of: number): number {
    return Math.max(1, Math.round((count * this.scale) / of)) * of;
  }

  of(tenant: Tenant): Bodies {
    const bodies = this.bodies.get(tenant);
    if (bodies === undefined) throw new Error('the bench is wrong: not one of its tenants');
    return bodies;
  }

  /** As many bodies a tenant as make the count together. */
  make(count: number, aBody: number, body: (bodies: Bodies) => Buffer): Map<Tenant, readonly Buffer[]> {
    const each = Math.max(1, Math.round(count / aBody / this.bodies.size));
    return new Map(Array.from(this.bodies, ([tenant, own]) => [tenant, Array.from({ length: each }, () => body(own))]));
  }
}
