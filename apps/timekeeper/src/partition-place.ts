// Where one partition is: how far its inbox is decided, at which instant, and what a person has said about its stamps.
import type { LogRecord, PartitionHeld, PartitionReleased, PositionedEntry } from '#event-log';
import { parseInstant } from '#expectations';

/** A place as a snapshot has it. */
export interface PlaceParts {
  /** The inbox offset that is to be decided next. */
  readonly nextOffset: number;
  /** The latest instant of an input, in epoch milliseconds; null before the first. */
  readonly nowMs: number | null;
  /** The input on which the decider has thrown, if it is still to be decided. */
  readonly failedOffset?: number;
  /** Set while nothing is decided. */
  readonly hold?: PartitionHeld;
  /** Which inputs are taken at another instant than they are stamped with. */
  readonly releases: readonly PartitionReleased[];
}

export class PartitionPlace {
  private next = 0;
  private now = -Infinity;
  private failed: number | undefined;
  private held: PartitionHeld | undefined;
  private releases: readonly PartitionReleased[] = [];

  /** As a partition begins, or as a snapshot has it. */
  constructor(parts?: PlaceParts) {
    if (parts === undefined) return;
    this.next = parts.nextOffset;
    this.now = parts.nowMs ?? -Infinity;
    this.failed = parts.failedOffset;
    this.held = parts.hold;
    this.releases = parts.releases;
  }

  get parts(): PlaceParts {
    return {
      nextOffset: this.next,
      nowMs: Number.isFinite(this.now) ? this.now : null,
      ...(this.failed !== undefined && { failedOffset: this.failed }),
      ...(this.held !== undefined && { hold: this.held }),
      releases: this.releases,
    };
  }

  /** The inbox offset that is to be decided next. */
  get nextOffset(): number {
    return this.next;
  }

  /** The inbox offset of the input that was taken last. */
  get offset(): number {
    return this.next - 1;
  }

  /** The partition's time in epoch milliseconds: never going back; -Infinity before the first input. */
  get nowMs(): number {
    return this.now;
  }

  /** Why nothing is decided, while nothing is. */
  get hold(): PartitionHeld | undefined {
    return this.held;
  }

  /** True where an earlier process has ended because the decider threw on the input. */
  hasFailed(offset: number): boolean {
    return this.failed === offset;
  }

  /** The next input is decided. Returns the partition's time. */
  take(record: LogRecord): number {
    this.next = record.offset + 1;
    return (this.now = Math.max(this.now, this.stampOf(record)));
  }

  moveTo({ at, offset }: Pick<PositionedEntry, 'at' | 'offset'>): void {
    this.next = offset + 1;
    this.now = Math.max(this.now, parseInstant(at));
  }

  fail(offset: number): void {
    this.failed = offset;
  }

  holdAt(hold: PartitionHeld): void {
    this.held = hold;
  }

  release(release: PartitionReleased): void {
    this.held = undefined;
    this.releases = [...this.releases, release];
  }

  /** The instant of a record in epoch milliseconds: its stamp, or earlier where a release says so. */
  stampOf({ offset, appendedAt }: LogRecord): number {
    const takenAt = this.releaseOf(offset)?.takenAt;
    return takenAt === undefined ? appendedAt : Math.min(appendedAt, parseInstant(takenAt));
  }

  /** The release that a record came under: somebody has looked at its stamp. */
  releaseOf(offset: number): PartitionReleased | undefined {
    return this.releases.find((release) => release.offset <= offset && offset <= release.through);
  }
}
