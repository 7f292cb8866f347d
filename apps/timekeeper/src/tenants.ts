// The tenants of one partition: each one's state, whose deadline comes next, and who is held.
import TinyQueue from 'tinyqueue';
import { compareCodePoints, nextDeadline, State } from '#expectations';

interface Due {
  readonly tenant: string;
  readonly deadline: number;
}

/** From where on a tenant waits. */
export interface Hold {
  /** The inbox offset of the first input that it has not been told. */
  readonly offset: number;
  /** The partition's time at that input, in epoch milliseconds. */
  readonly atMs: number;
}

/** Stale entries are dropped once they are more than the tenants with a deadline and so many. */
const STALE_KEPT = 64;

export class Tenants {
  private readonly states = new Map<string, State>();
  /** Each tenant's next deadline as it is now; entries of the queue that say otherwise are stale. */
  private readonly deadlines = new Map<string, number>();
  private queue = new TinyQueue<Due>([], byDeadlineThenName);
  private readonly holds = new Map<string, Hold>();
  /** Tenants of whom the ledger cannot be folded, each with the reason: their state is of no use. */
  private readonly faults = new Map<string, string>();

  /** The tenant's state, empty where nothing was ever told of it. */
  state(tenant: string): State {
    let state = this.states.get(tenant);
    if (state === undefined) this.states.set(tenant, (state = new State()));
    return state;
  }

  /** Puts a tenant's state as a snapshot has it. */
  put(tenant: string, state: State): void {
    this.states.set(tenant, state);
    this.changed(tenant);
  }

  [Symbol.iterator](): IterableIterator<[string, State]> {
    return this.states.entries();
  }

  get count(): number {
    return this.states.size;
  }

  /** Expectations open in all of them. */
  get openCount(): number {
    let count = 0;
    for (const state of this.states.values()) count += state.openCount;
    return count;
  }

  /** A tenant's inputs and deadlines wait from here on. */
  hold(tenant: string, hold: Hold): void {
    this.holds.set(tenant, hold);
    this.deadlines.delete(tenant);
  }

  /** It is decided as any other again. */
  release(tenant: string): void {
    this.holds.delete(tenant);
    this.changed(tenant);
  }

  holdOf(tenant: string): Hold | undefined {
    return this.holds.get(tenant);
  }

  get held(): ReadonlyMap<string, Hold> {
    return this.holds;
  }

  /** The fold has thrown on what the ledger says of a tenant: it must be held, and not be told anything. */
  fault(tenant: string, why: string): void {
    this.faults.set(tenant, why);
    this.deadlines.delete(tenant);
  }

  faultOf(tenant: string): string | undefined {
    return this.faults.get(tenant);
  }

  /** The tenants whose state is of no use, each with the reason. */
  get faulty(): ReadonlyMap<string, string> {
    return this.faults;
  }

  /** To be called whenever a tenant's state has changed. */
  changed(tenant: string): void {
    if (this.holds.has(tenant) || this.faults.has(tenant)) return;
    const deadline = nextDeadline(this.state(tenant));
    if (deadline === this.deadlines.get(tenant)) return;
    if (deadline === undefined) {
      this.deadlines.delete(tenant);
      return;
    }
    this.deadlines.set(tenant, deadline);
    this.queue.push({ tenant, deadline });
    if (this.queue.length > 2 * this.deadlines.size + STALE_KEPT) this.dropStale();
  }

  /** The earliest deadline of all that are not held, in epoch milliseconds, or undefined. */
  earliestDeadline(): number | undefined {
    for (let due = this.queue.peek(); due !== undefined; due = this.queue.peek()) {
      if (this.deadlines.get(due.tenant) === due.deadline) return due.deadline;
      this.queue.pop();
    }
    return undefined;
  }

  /** The tenants with a deadline before an instant, in the order of their first deadline, then of their names. */
  dueBefore(instantMs: number): string[] {
    const due: string[] = [];
    for (let earliest = this.earliestDeadline(); earliest !== undefined && earliest < instantMs;) {
      const first = this.queue.pop();
      if (first !== undefined) {
        due.push(first.tenant);
        this.deadlines.delete(first.tenant);
      }
      earliest = this.earliestDeadline();
    }
    return due;
  }

  private dropStale(): void {
    const due = Array.from(this.deadlines, ([tenant, deadline]) => ({ tenant, deadline }));
    this.queue = new TinyQueue(due, byDeadlineThenName);
  }
}

function byDeadlineThenName(left: Due, right: Due): number {
  return left.deadline - right.deadline || compareCodePoints(left.tenant, right.tenant);
}
