// How many rounds of sending one tenant has under way at once, however many agents it has: no other tenant waits for
// them, and those agents that answer do not wait for those that do not. First come, first served.
import type { AgentStanding } from './agent-health.ts';

/** Agents of one tenant, and of one standing, that are being called at once. */
const slotsPerTenant = 64;

interface Slots {
  taken: number;
  readonly waiting: Set<() => void>;
}

export class TenantSlots {
  private readonly byOwner = new Map<string, Slots>();

  /** Does the work once there is room for it, or not at all where the signal aborts first: then undefined. */
  async within<T>(
    { tenant, standing }: { readonly tenant: string; readonly standing: AgentStanding },
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const owner = `${standing} ${tenant}`;
    const slots = this.byOwner.get(owner) ?? { taken: 0, waiting: new Set() };
    this.byOwner.set(owner, slots);
    if (slots.taken < slotsPerTenant) slots.taken += 1;
    else if (!(await turn(slots, signal))) return undefined;
    try {
      return signal.aborted ? undefined : await work();
    } finally {
      this.leave(owner, slots);
    }
  }

  /** Hands the slot to whoever waits longest. */
  private leave(owner: string, slots: Slots): void {
    const [next] = slots.waiting;
    if (next !== undefined) return next();
    slots.taken -= 1;
    if (slots.taken === 0) this.byOwner.delete(owner);
  }
}

/** True once a slot is handed over, false where the signal aborts first. */
function turn({ waiting }: Slots, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isHandedOver: boolean): void => {
      waiting.delete(come);
      signal.removeEventListener('abort', giveUp);
      resolve(isHandedOver);
    };
    const come = (): void => end(true);
    const giveUp = (): void => end(false);
    waiting.add(come);
    signal.addEventListener('abort', giveUp);
  });
}
