// Whether an agent answers, by this process's own experience. While it does not, only its oldest lapse is tried.
import { type BackoffBounds, type Random, retryDelayMs } from '#runtime';

/** So many answers in a row that do not tell are the agent's last word. */
const mostUntold = 8;
/** Attempts that may make a second task come so much more seldom, in the end, than others. */
const duplicateCapFactor = 6;

/** By how the agent was when it was called last. */
export type AgentStanding = 'answering' | 'failing' | 'untried';

export class AgentHealth {
  private readonly bounds: BackoffBounds;
  private readonly random: Random;
  private failuresCount = 0;
  private roundDelayMs: number | undefined;
  private isCalled = false;
  private isAnswering: boolean;
  private untoldCount = 0;

  /** `isAnswering`: it is known to have answered when it was called last. */
  constructor(bounds: BackoffBounds, random: Random, isAnswering = false) {
    this.bounds = bounds;
    this.random = random;
    this.isAnswering = isAnswering;
  }

  get standing(): AgentStanding {
    if (this.isAnswering) return 'answering';
    return this.isFailing ? 'failing' : 'untried';
  }

  /** How long what was sent, and not answered, may take to show at the agent. */
  get settlingMs(): number {
    return this.bounds.baseMs;
  }

  get isFailing(): boolean {
    return this.failuresCount > 0;
  }

  /** It is about to be called. To be said before each call of a round. */
  called(): void {
    this.isCalled = true;
  }

  /**
   * The agent could not be reached, or did not answer: how long to wait before this lapse is tried again, at least what
   * the agent asked for. Its other lapses wait only by its own failures: one that answers everything else well may
   * never take this one, whose waits grow with its attempts.
   */
  failed(attempt: number, retryAfterMs?: number): number {
    const failuresCount = this.failuresCount + 1;
    const delayMs = retryDelayMs(failuresCount, this.bounds, this.random, retryAfterMs);
    this.roundDelayMs = Math.max(this.roundDelayMs ?? 0, delayMs);
    if (attempt <= failuresCount) return delayMs;
    return Math.max(delayMs, retryDelayMs(attempt, this.bounds, this.random, retryAfterMs));
  }

  /** How long to wait before an attempt that may make a second task. An agent that never tells is not flooded. */
  beforeDuplicate(attempt: number): number {
    const { baseMs, capMs } = this.bounds;
    return retryDelayMs(attempt, { baseMs, capMs: capMs * duplicateCapFactor }, this.random);
  }

  /** It has said what became of a lapse. */
  told(): void {
    this.untoldCount = 0;
  }

  /** It has answered, and did not say. False where it has done so that often that it will not: the count begins anew. */
  mayStillTell(): boolean {
    this.untoldCount = (this.untoldCount + 1) % mostUntold;
    return this.untoldCount > 0;
  }

  /**
   * Ends a round of attempts that were under way together: they count as one failure. Returns how long to wait. One in
   * which the agent was not called says nothing of it.
   */
  endRound(): number {
    if (!this.isCalled) return 0;
    const delayMs = this.roundDelayMs;
    this.isCalled = false;
    this.roundDelayMs = undefined;
    this.isAnswering = delayMs === undefined;
    this.failuresCount = delayMs === undefined ? 0 : this.failuresCount + 1;
    return delayMs ?? 0;
  }

  reset(): void {
    this.failuresCount = 0;
  }
}
