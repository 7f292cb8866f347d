// Has snapshots made now and then, one partition after the other, beside whoever decides; and, where so configured, once
// more before the partitions are let go of, so that whoever takes them over has little to fold.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { CLOCK, type Clock } from '#runtime';
import { Periodically } from './periodically.ts';
import { Timekeeper, type WorthASnapshot } from './timekeeper.ts';

/** `SnapshotMaker`. */
export const SNAPSHOT_MAKER = Symbol('SnapshotMaker');

/** For how long, in milliseconds, the end of the process may wait for the last snapshots; absent: not at all. */
export const LAST_SNAPSHOTS_MS = Symbol('LastSnapshotsMs');

/** Makes one partition's snapshot, elsewhere than in the thread that decides. */
export type SnapshotMaker = (partition: number, signal: AbortSignal) => Promise<void>;

@Injectable()
export class Snapshotter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Snapshotter.name);
  private readonly periodically: Periodically;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly timekeeper: Timekeeper,
    @Optional() @Inject(SNAPSHOT_MAKER) private readonly make?: SnapshotMaker,
    @Optional() @Inject(LAST_SNAPSHOTS_MS) private readonly lastMs?: number,
  ) {
    this.periodically = new Periodically(clock);
  }

  onApplicationBootstrap(): void {
    const { make } = this;
    if (make !== undefined) this.periodically.start((signal) => this.makeAll(make, signal));
  }

  /** All partitions go on being decided meanwhile: Nest lets go of them afterwards. */
  async onModuleDestroy(): Promise<void> {
    await this.periodically.stop();
    const { make, lastMs } = this;
    if (make === undefined || lastMs === undefined) return;
    const ended = new AbortController();
    const late = new AbortController();
    const waiting = this.clock.sleep(lastMs, ended.signal).then(() => late.abort());
    await this.makeAll(make, late.signal);
    ended.abort();
    await waiting;
  }

  private async makeAll(make: SnapshotMaker, signal: AbortSignal): Promise<void> {
    for (const worthy of this.timekeeper.worthASnapshot()) {
      if (!signal.aborted) await this.makeOne(make, worthy, signal);
    }
  }

  /** One that fails is made later: the earlier one, or the ledger, still serves. */
  private async makeOne(make: SnapshotMaker, { partition, made }: WorthASnapshot, signal: AbortSignal): Promise<void> {
    try {
      await make(partition, signal);
      if (!signal.aborted) made();
    } catch (error) {
      if (!signal.aborted) this.logger.warn(`partition ${partition}: no snapshot was made: ${String(error)}`);
    }
  }
}
