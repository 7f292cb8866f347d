// The only role that decides: one loop for each partition that is this process's, decided in turns.
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import { type EventLog, FencedError, LogUnavailableError, type Served, type SnapshotStore } from '#event-log';
import { CLOCK, type Clock, EVENT_LOG, type HealthCheck } from '#runtime';
import { type Memberships, MEMBERSHIPS, untilAborted } from '#serving';
import type { PartitionFigures } from './partition-figures.ts';
import { PartitionLoop } from './partition-loop.ts';

/** Which deployment this is: another one must not decide on the same log. */
export const DEPLOYMENT = Symbol('Deployment');
/** `SnapshotStore`; absent where every start folds the whole ledger. */
export const SNAPSHOT_STORE = Symbol('SnapshotStore');
/** What is called with the error that stops the process: a bug, or a partition that must not be decided as it is. */
export const ON_FATAL = Symbol('OnFatal');

/** A partition of which a start would have much to fold. */
export interface WorthASnapshot {
  readonly partition: number;
  /** To be called once a snapshot is stored that was begun after this was given. */
  readonly made: () => void;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

@Injectable()
export class Timekeeper implements HealthCheck {
  readonly name = 'timekeeper';
  private readonly logger = new Logger(Timekeeper.name);
  /** Of each partition that is being served. */
  private readonly loops = new Map<number, PartitionLoop>();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(DEPLOYMENT) private readonly deployment: string,
    @Inject(ON_FATAL) private readonly onFatal: (error: unknown) => void,
    @Inject(MEMBERSHIPS) private readonly memberships: Memberships,
    @Optional() @Inject(SNAPSHOT_STORE) private readonly snapshots?: SnapshotStore,
  ) {}

  /** Decides a partition until `signal` aborts, or another decides it. Never rejects (`Serve`). */
  async serve(partition: number, signal: AbortSignal): Promise<Served> {
    const { log, clock, deployment, snapshots } = this;
    const loop = new PartitionLoop(log, clock, partition, deployment, snapshots);
    this.loops.set(partition, loop);
    try {
      return await this.keep(loop, signal);
    } finally {
      this.loops.delete(partition);
    }
  }

  /** True while it is known which partitions are this process's, and each is recovered and deciding. */
  get isReady(): boolean {
    return this.notReady().length === 0;
  }

  worthASnapshot(): readonly WorthASnapshot[] {
    return [...this.loops.values()].flatMap((loop) => loop.worthASnapshot() ?? []);
  }

  /** Of each partition served the inbox offset before which everything is decided and nothing is waited for. */
  doneBefore(): ReadonlyMap<number, number> {
    return new Map(Array.from(this.loops, ([partition, { doneBefore }]) => [partition, doneBefore]));
  }

  /** How each partition stands that is served. */
  figures(): readonly PartitionFigures[] {
    return Array.from(this.loops.values(), (loop) => loop.figures);
  }

  /** Rejects, naming the partitions and why, while any is not deciding. */
  async check(): Promise<void> {
    const reasons = this.notReady();
    if (reasons.length > 0) throw new Error(reasons.join('; '));
  }

  private notReady(): readonly string[] {
    const partitions = this.memberships.partitionsOf('timekeeper');
    if (partitions === undefined) return ['it is not known yet which partitions are to be decided here'];
    return partitions.flatMap((partition) => {
      const loop = this.loops.get(partition);
      return loop === undefined ? `partition ${partition} is not being decided` : (loop.notDeciding ?? []);
    });
  }

  /** A log out of reach is waited for; another writer ends it; a bug stops the process. */
  private async keep(loop: PartitionLoop, signal: AbortSignal): Promise<Served> {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const startedAtMs = this.clock.now();
      try {
        await loop.run(signal);
      } catch (error) {
        if (error instanceof FencedError) return this.fenced(loop, signal);
        if (!(error instanceof LogUnavailableError)) return await this.stop(loop, error, signal);
        if (this.clock.now() - startedAtMs > LONGEST_RETRY_MS) retryMs = FIRST_RETRY_MS;
        this.logger.warn(`partition ${loop.partition}: ${error.message}; trying again in ${retryMs} ms`);
        await this.clock.sleep(retryMs, signal);
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
      }
    }
    return 'left';
  }

  /** Whoever takes over what is being let go of anyhow is no news. */
  private fenced({ partition }: PartitionLoop, { aborted }: AbortSignal): Served {
    if (aborted) return 'left';
    this.logger.warn(`partition ${partition}: another timekeeper decides it`);
    return 'fenced';
  }

  /** The partition is not decided any more, and not let go of either: another here would meet the same. */
  private async stop({ partition }: PartitionLoop, error: unknown, signal: AbortSignal): Promise<Served> {
    const stack = error instanceof Error ? error.stack : String(error);
    this.logger.error(`partition ${partition}: it cannot be decided`, stack);
    this.onFatal(error);
    await untilAborted(signal);
    return 'left';
  }
}
