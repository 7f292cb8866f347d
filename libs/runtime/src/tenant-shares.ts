// Bounds what is under way at once: a flood is refused, and one tenant's leaves room for another's.

/** How many things may be under way, and how many bytes they may have together. */
export interface Shares {
  readonly tenantBytes: number;
  readonly allBytes: number;
  readonly tenantCount: number;
  readonly allCount: number;
}

interface Held {
  bytes: number;
  count: number;
}

export type ShareAnswer = 'taken' | 'tenantFull' | 'allFull';

export class TenantShares {
  private readonly all: Held = { bytes: 0, count: 0 };
  private readonly byTenant = new Map<string, Held>();

  constructor(private readonly shares: Shares) {}

  /** Takes as much, or says whose share is full and takes nothing. */
  take(tenant: string, bytes: number, count = 1): ShareAnswer {
    const answer = this.look(tenant, bytes, count);
    if (answer === 'taken') this.hold(tenant, bytes, count);
    return answer;
  }

  /** Takes as much, however full it is: of what is under way and can no more be refused. */
  hold(tenant: string, bytes: number, count = 1): void {
    const own = this.byTenant.get(tenant) ?? { bytes: 0, count: 0 };
    this.byTenant.set(tenant, own);
    this.add(tenant, own, bytes, count);
  }

  /** The same as `take` without taking. What a tenant has under way alone is taken, however large it is. */
  look(tenant: string, bytes: number, count = 1): ShareAnswer {
    const { tenantBytes, tenantCount, allBytes, allCount } = this.shares;
    const own = this.byTenant.get(tenant) ?? { bytes: 0, count: 0 };
    if (own.bytes > 0 && own.bytes + bytes > tenantBytes) return 'tenantFull';
    if (own.count + count > tenantCount) return 'tenantFull';
    return this.all.bytes + bytes > allBytes || this.all.count + count > allCount ? 'allFull' : 'taken';
  }

  /** What is under way of all tenants. */
  get total(): { readonly bytes: number; readonly count: number } {
    return { ...this.all };
  }

  /** Gives back what was taken. */
  free(tenant: string, bytes: number, count = 1): void {
    const own = this.byTenant.get(tenant);
    if (own !== undefined) this.add(tenant, own, -bytes, -count);
  }

  private add(tenant: string, own: Held, bytes: number, count: number): void {
    for (const held of [own, this.all]) {
      held.bytes += bytes;
      held.count += count;
    }
    if (own.bytes <= 0 && own.count <= 0) this.byTenant.delete(tenant);
  }
}
