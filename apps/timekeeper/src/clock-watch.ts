// The log's clock beside the process's own: what is too far ahead holds the partition, what is behind is told.
import type { Logger } from '@nestjs/common';
import type { Clock } from '#runtime';

/** An input stamped further ahead of the process's clock is not decided. */
export const FURTHEST_AHEAD_MS = 120_000;
/** A stamp further behind is told: lapses will be late. */
const FURTHEST_BEHIND_MS = 60_000;
/** The same is told again after so long. */
const TELL_AGAIN_MS = 60_000;

export class ClockWatch {
  private toldAtMs = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly partition: number,
  ) {}

  isTooFarAhead(stampMs: number): boolean {
    return stampMs - this.clock.now() > FURTHEST_AHEAD_MS;
  }

  /** An input is about to be decided, the partition's time being that: what falls due before it lapses at once. */
  saw(partitionMs: number): void {
    const aheadMs = partitionMs - this.clock.now();
    if (aheadMs > FURTHEST_BEHIND_MS) this.tell(`is ${aheadMs} ms behind what is decided already`);
  }

  /** A tick was appended just now. */
  ticked(appendedAtMs: number): void {
    const behindMs = this.clock.now() - appendedAtMs;
    if (behindMs > FURTHEST_BEHIND_MS) this.tell(`is ${behindMs} ms behind the timekeeper's`);
  }

  private tell(what: string): void {
    const nowMs = this.clock.now();
    if (Math.abs(nowMs - this.toldAtMs) < TELL_AGAIN_MS) return;
    this.toldAtMs = nowMs;
    this.logger.error(`partition ${this.partition}: the log's clock ${what}: lapses will be late by as much`);
  }
}
