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

/** Where work waits until it is due. Its methods throw faults. */
export interface DueSource<Due> {
  /** What is due, the busy aside. */
  due(now: Date, busyKeys: readonly string[], busyTenants: readonly string[]): Promise<readonly Due[]>;
  /** When the next is due that is not yet. */
  nextDueAt(now: Date): Promise<Date | undefined>;
}

/** Writes down how it went; may be called again. */
export type Settle = () => Promise<void>;

/** There was nothing to send. */
export const nothing: Settle = () => Promise.resolve();

const idleMs = 30_000;

export class DueWork {
  private readonly wakeUp: WakeUp;
  private readonly underWay = new Map<string, { readonly tenant: string; readonly running: Promise<void> }>();

  constructor(private readonly options: DueWorkOptions) {
    this.wakeUp = new WakeUp(options.clock);
  }

  /** Begins what is due, or waits until more may be. Throws faults of the source; may be called again. */
  async pass<Due>(source: DueSource<Due>, begin: (due: Due) => boolean, stopping: AbortSignal): Promise<true> {
    // Whoever asks what is due from here on needs no wake-up that came before.
    this.wakeUp.take();
    const nowMs = this.options.clock.now();
    const now = new Date(nowMs);
    const due = await source.due(now, this.busyKeys, this.busyTenants);
    const begun = due.filter((each) => !stopping.aborted && begin(each));
    if (begun.length > 0) return true;
    const nextAt = await source.nextDueAt(now);
    const delayMs = nextAt === undefined ? idleMs : Math.min(idleMs, nextAt.getTime() - nowMs);
    await this.wakeUp.sleep(delayMs, stopping);
    return true;
  }

  /** What is under way, which is not due again meanwhile. */
  private get busyKeys(): readonly string[] {
    return [...this.underWay.keys()];
  }

  /** Of these nothing more may begin. */
  private get busyTenants(): readonly string[] {
    const tenants = new Set([...this.underWay.values()].map(({ tenant }) => tenant));
    return [...tenants].filter((tenant) => !this.hasRoom(tenant));
  }

  /** Something may have come due. */
  wake(): void {
    this.wakeUp.wake();
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

  /**
   * The same of what is sent: where only writing down how it went fails, that is done again, and nothing is sent twice.
   * `send` throws faults, and then nothing was sent.
   */
  beginSending(key: string, tenant: string, send: () => Promise<Settle>): boolean {
    let settle: Settle | undefined;
    return this.begin(key, tenant, async () => {
      settle ??= await send();
      await settle();
    });
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
