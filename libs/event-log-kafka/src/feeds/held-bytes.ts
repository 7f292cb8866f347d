// How much of feeds is in memory: a tenant's flood stays in its topic and leaves room for others'.

export interface HeldBounds {
  readonly tenantBytes: number;
  readonly allBytes: number;
}

export class HeldBytes {
  readonly #bounds: HeldBounds;
  readonly #byTenant = new Map<string, number>();
  #all = 0;

  constructor(bounds: HeldBounds) {
    this.#bounds = bounds;
  }

  /** Whether about so much more of the tenant's may be read. Who holds nothing may always have something of its own. */
  hasRoom(tenant: string, bytes: number): boolean {
    const own = this.#byTenant.get(tenant) ?? 0;
    if (own > 0 && own + bytes > this.#bounds.tenantBytes) return false;
    return own === 0 ? this.#all < this.#bounds.allBytes : this.#all + bytes <= this.#bounds.allBytes;
  }

  /** What was read is held, however much it has turned out to be; less of it is given back. */
  add(tenant: string, bytes: number): void {
    const own = (this.#byTenant.get(tenant) ?? 0) + bytes;
    if (own > 0) this.#byTenant.set(tenant, own);
    else this.#byTenant.delete(tenant);
    this.#all += bytes;
  }
}
