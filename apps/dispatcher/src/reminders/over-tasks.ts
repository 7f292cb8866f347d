// Tasks that are over, the last ones, by their keys: what a task that is over raises is told to nobody, and the ledger says
// that it is over before it says what it raises. What is forgotten costs one call, which the agent refuses.

const keptCount = 20_000;

export class OverTasks {
  private readonly keys = new Set<string>();

  has(taskKey: string): boolean {
    return this.keys.has(taskKey);
  }

  /** Bounded: the one kept longest goes first. */
  add(taskKey: string): void {
    this.keys.add(taskKey);
    if (this.keys.size <= keptCount) return;
    for (const oldest of this.keys) {
      this.keys.delete(oldest);
      return;
    }
  }
}
