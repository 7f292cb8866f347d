// What becomes of an input on which the core has thrown twice: it is parked, or the tenant whose state threw is held.
import type { DeciderFaultError } from './decider-fault-error.ts';

/** On the input at one offset. */
export class Verdict {
  /** Why the input itself is parked. */
  parked: string | undefined;
  /** The tenants to be held, each with the reason. */
  readonly held = new Map<string, string>();

  constructor(readonly offset: number) {}

  /** Takes a fault in. False where it was judged already: deciding it otherwise has not helped. */
  add({ tenant, message, isOfState }: DeciderFaultError): boolean {
    if (isOfState ? this.held.has(tenant) : this.parked !== undefined) return false;
    if (isOfState) this.held.set(tenant, message);
    else this.parked = message;
    return true;
  }
}
