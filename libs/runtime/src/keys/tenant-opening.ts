// What is to be done before a tenant gets its first key.

/** `TenantOpening`; absent where nothing is to be done. */
export const TENANT_OPENING = Symbol('TenantOpening');

export interface TenantOpening {
  /** May be called again for a tenant whose opening was cut short: the second time must do no harm. */
  open(tenant: string): Promise<void>;
}
