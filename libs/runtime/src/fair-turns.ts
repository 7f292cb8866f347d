// Long work on the one thread, in slices: one slice a turn of the event loop, the tenants in rotation, so that neither
// who sends much nor who sends little waits for all of another's. It must never let two slices run in one turn.

export class FairTurns {
  /** Who waits, by tenant, in the order of rotation. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isTurning = false;

  /** Resolves when it is the tenant's turn. */
  next(tenant: string): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(tenant);
      if (queue === undefined) this.waiting.set(tenant, [resolve]);
      else queue.push(resolve);
      if (this.isTurning) return;
      this.isTurning = true;
      setImmediate(() => this.turn());
    });
  }

  private turn(): void {
    const first = this.waiting.entries().next();
    if (first.done === true) {
      this.isTurning = false;
      return;
    }
    const [tenant, queue] = first.value;
    const resolve = queue.shift();
    // To the end of the rotation, where more of it waits.
    this.waiting.delete(tenant);
    if (queue.length > 0) this.waiting.set(tenant, queue);
    resolve?.();
    setImmediate(() => this.turn());
  }
}

/** Of this process: its edges share the one thread. */
export const fairTurns = new FairTurns();
