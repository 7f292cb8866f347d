// Bounds what bodies hold in memory at once: a flood of them is refused, and one tenant's leaves room for another's.

/** In bytes of the bodies as they were sent; what is made of them takes several times as much. */
export interface BodyShares {
  readonly tenantBytes: number;
  readonly allBytes: number;
}

export class BodyBudget {
  private allHeld = 0;
  private readonly heldByTenant = new Map<string, number>();

  constructor(private readonly shares: BodyShares) {}

  /** Takes the bytes, or says whose share is full and takes nothing. */
  take(tenant: string, bytes: number): 'taken' | 'tenantFull' | 'allFull' {
    const held = (this.heldByTenant.get(tenant) ?? 0) + bytes;
    if (held > this.shares.tenantBytes) return 'tenantFull';
    if (this.allHeld + bytes > this.shares.allBytes) return 'allFull';
    this.heldByTenant.set(tenant, held);
    this.allHeld += bytes;
    return 'taken';
  }

  /** Gives taken bytes back. */
  free(tenant: string, bytes: number): void {
    const held = (this.heldByTenant.get(tenant) ?? 0) - bytes;
    if (held > 0) this.heldByTenant.set(tenant, held);
    else this.heldByTenant.delete(tenant);
    this.allHeld -= bytes;
  }
}
