// Work that is due, begun as it comes: one of each key at a time, and few of a tenant, so that who is slow delays only
// itself, and a tenant no other.
import { type Clock, WakeUp } from '#runtime';

export interface DueWorkOptions {
  readonly clock: Clock;
  /** Does it again and again until it answers false; waits after a fault. */
  readonly persist: (name: string, pass: () => Promise<boolean>) => Promise<void>;
  /** What a fault of the work is logged under. */
  readonly name: string;
  /** Of one tenant so many are under way at once. */
  readonly ofTenant: number;
}

export class DueWork {
  private readonly wakeUp: WakeUp;
  private readonly underWay = new Map<string, { readonly tenant: string; readonly running: Promise<void> }>();

  constructor(private readonly options: DueWorkOptions) {
    this.wakeUp = new WakeUp(options.clock);
  }

  /** What is under way, which is not due again meanwhile. */
  get busyKeys(): readonly string[] {
    return [...this.underWay.keys()];
  }

  /** Of these nothing more may begin. */
  get busyTenants(): readonly string[] {
    const tenants = new Set([...this.underWay.values()].map(({ tenant }) => tenant));
    return [...tenants].filter((tenant) => !this.hasRoom(tenant));
  }

  /** Something may have come due. */
  wake(): void {
    this.wakeUp.wake();
  }

  /** Whoever asks what is due from here on needs no wake-up that came before. */
  look(): void {
    this.wakeUp.take();
  }

  /** Begins it. False where the tenant has enough under way. */
  begin(key: string, tenant: string, work: () => Promise<void>): boolean {
    if (!this.hasRoom(tenant)) return false;
    const done = this.options.persist(this.options.name, async () => {
      await work();
      return false;
    });
    const running = done.finally(() => {
      this.underWay.delete(key);
      this.wakeUp.wake();
    });
    this.underWay.set(key, { tenant, running });
    return true;
  }

  /** Resolves once woken, after `durationMs`, or when the signal aborts. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    return this.wakeUp.sleep(durationMs, signal);
  }

  /** Resolves once nothing is under way. */
  async ended(): Promise<void> {
    await Promise.all([...this.underWay.values()].map(({ running }) => running));
  }

  private hasRoom(tenant: string): boolean {
    const count = [...this.underWay.values()].filter((each) => each.tenant === tenant).length;
    return count < this.options.ofTenant;
  }
}
