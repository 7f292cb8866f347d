// What one process knows of the ends of the log's partitions, and who waits for them to move.
// It must never be the only way to learn of a record: whoever tells it may be late or gone.
import type { Clock } from '#runtime';
import type { Topic } from './port.ts';

/** The ends heard of, for implementations of `EventLog.waitFor`. */
export class LogEnds {
  readonly #clock: Clock;
  readonly #ends = new Map<string, number>();
  readonly #waiting = new Map<string, Set<Waiter>>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The partition is known to end at `end` or later: who waits for less is woken. */
  reached(topic: Topic, partition: number, end: number): void {
    const place = placeOf(topic, partition);
    if (end <= (this.#ends.get(place) ?? 0)) return;
    this.#ends.set(place, end);
    for (const waiter of this.#waiting.get(place) ?? []) {
      if (waiter.from < end) waiter.wake();
    }
  }

  /** As `EventLog.waitFor`, by what is known here alone. Never rejects. */
  async waitFor(
    topic: Topic,
    partition: number,
    from: number,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const place = placeOf(topic, partition);
    if (this.#closed || signal?.aborted === true || (this.#ends.get(place) ?? 0) > from) return;
    // Given a reason, an abort makes no error with a stack: there is one for every record.
    const woken = new AbortController();
    const waiter = { from, wake: () => woken.abort('reached') };
    const waiters = this.#waiting.get(place) ?? new Set<Waiter>();
    this.#waiting.set(place, waiters.add(waiter));
    signal?.addEventListener('abort', waiter.wake);
    try {
      await this.#clock.sleep(timeoutMs, woken.signal);
    } finally {
      waiters.delete(waiter);
      signal?.removeEventListener('abort', waiter.wake);
    }
  }

  /** Wakes everybody; nobody waits any more. */
  close(): void {
    this.#closed = true;
    for (const waiters of this.#waiting.values()) for (const waiter of waiters) waiter.wake();
  }
}

interface Waiter {
  readonly from: number;
  readonly wake: () => void;
}

function placeOf(topic: Topic, partition: number): string {
  return `${topic} ${partition}`;
}
