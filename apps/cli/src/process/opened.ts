// What a process has opened, and closes in the other order.

export class Opened {
  private readonly closers: (() => Promise<unknown>)[] = [];
  private isClosing = false;

  /** `report` is told of faults that nobody's call can be told of. */
  constructor(private readonly reportFault: (fault: unknown) => void) {}

  add<T>(store: T, close: (store: T) => Promise<unknown>): T {
    this.closers.unshift(() => close(store));
    return store;
  }

  /** Also where it is open only after another has failed. */
  async addLater<T>(store: Promise<T>, close: (store: T) => Promise<unknown>): Promise<T> {
    return this.add(await store, close);
  }

  /** For the stores: what our own closing does to connections on their way out is no fault. */
  readonly report = (fault: unknown): void => {
    if (!this.isClosing) this.reportFault(fault);
  };

  /** Closes all, the first opened last; what cannot be closed is reported and holds up nothing. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const closer of this.closers.splice(0)) await closer().catch(this.reportFault);
  }
}
