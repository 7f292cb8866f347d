// The only process that decides: one loop a partition, decided in turns.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { type EventLog, FencedError, LogUnavailableError, type SnapshotStore } from '#event-log';
import { CLOCK, type Clock, EVENT_LOG, type HealthCheck } from '#runtime';
import { PartitionLoop } from './partition-loop.ts';

/** Which deployment this is: another one must not decide on the same log. */
export const DEPLOYMENT = Symbol('Deployment');
/** `SnapshotStore`; absent where every start folds the whole ledger. */
export const SNAPSHOT_STORE = Symbol('SnapshotStore');
/** What is called with the error that stops the process: a bug, or another timekeeper. */
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
export class Timekeeper implements HealthCheck, OnApplicationBootstrap, OnApplicationShutdown {
  readonly name = 'timekeeper';
  private readonly logger = new Logger(Timekeeper.name);
  private readonly stopping = new AbortController();
  private readonly loops: readonly PartitionLoop[];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(EVENT_LOG) log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(DEPLOYMENT) deployment: string,
    @Inject(ON_FATAL) private readonly onFatal: (error: unknown) => void,
    @Optional() @Inject(SNAPSHOT_STORE) snapshots?: SnapshotStore,
  ) {
    this.loops = Array.from(
      { length: log.partitionCount },
      (_, partition) => new PartitionLoop(log, clock, partition, deployment, snapshots),
    );
  }

  /** True while every partition is recovered and deciding. */
  get isReady(): boolean {
    return this.loops.every((loop) => loop.notDeciding === undefined);
  }

  worthASnapshot(): readonly WorthASnapshot[] {
    return this.loops.flatMap((loop) => loop.worthASnapshot() ?? []);
  }

  /** Of each partition the inbox offset before which everything is decided and nothing is waited for. */
  doneBefore(): readonly number[] {
    return this.loops.map((loop) => loop.doneBefore);
  }

  /** Rejects, naming the partitions and why, while any is not deciding. */
  async check(): Promise<void> {
    const reasons = this.loops.flatMap((loop) => loop.notDeciding ?? []);
    if (reasons.length > 0) throw new Error(reasons.join('; '));
  }

  onApplicationBootstrap(): void {
    this.running = Promise.all(this.loops.map((loop) => this.keep(loop)));
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** A log out of reach is waited for; another writer, or a bug, stops the process. */
  private async keep(loop: PartitionLoop): Promise<void> {
    const { signal } = this.stopping;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      const startedAtMs = this.clock.now();
      try {
        await loop.run(signal);
        return;
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) {
          const isHandedOver = error instanceof FencedError && this.stopping.signal.aborted;
          if (!isHandedOver) this.stop(loop, error);
          return;
        }
        if (this.clock.now() - startedAtMs > LONGEST_RETRY_MS) retryMs = FIRST_RETRY_MS;
        this.logger.warn(`partition ${loop.partition}: ${error.message}; trying again in ${retryMs} ms`);
        await this.clock.sleep(retryMs, signal);
        retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
      }
    }
  }

  private stop(loop: PartitionLoop, error: unknown): void {
    const why = error instanceof FencedError ? 'another timekeeper decides it' : 'it cannot be decided';
    this.logger.error(`partition ${loop.partition}: ${why}`, error instanceof Error ? error.stack : String(error));
    this.onFatal(error);
  }
}
