// What every log of a store keeps to: no call of a partition that is not, none after closing, and no closing before what
// was asked is answered.
import assert from 'node:assert/strict';
import { LogUnavailableError } from './port.ts';

export class LogCalls {
  readonly #partitionCount: number;
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(partitionCount: number) {
    this.#partitionCount = partitionCount;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Throws `LogUnavailableError` after `close`. */
  assertUsable(partition: number): void {
    assert(
      Number.isInteger(partition) && partition >= 0 && partition < this.#partitionCount,
      `partition ${partition} must be one of ${this.#partitionCount}`,
    );
    if (this.isClosed) throw new LogUnavailableError('the log is closed');
  }

  /** The answer, or the fault in the port's words; `close` waits for it. */
  async guard<T>(answer: Promise<T>, toFault: (error: unknown) => unknown): Promise<T> {
    this.#pending.add(answer);
    try {
      return await answer;
    } catch (error) {
      throw toFault(error);
    } finally {
      this.#pending.delete(answer);
    }
  }

  /** No more calls; `letGo` is called once those under way are answered. Repeated calls share one end. */
  close(letGo: () => Promise<void>): Promise<void> {
    return (this.#closing ??= Promise.allSettled(this.#pending).then(letGo));
  }
}
