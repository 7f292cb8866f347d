// Has snapshots made now and then, one partition after the other, beside whoever decides.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import { CLOCK, type Clock } from '#runtime';
import { Periodically } from './periodically.ts';
import { Timekeeper, type WorthASnapshot } from './timekeeper.ts';

/** `SnapshotMaker`. */
export const SNAPSHOT_MAKER = Symbol('SnapshotMaker');

/** Makes one partition's snapshot, elsewhere than in the thread that decides. */
export type SnapshotMaker = (partition: number, signal: AbortSignal) => Promise<void>;

@Injectable()
export class Snapshotter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Snapshotter.name);
  private readonly periodically: Periodically;

  constructor(
    @Inject(CLOCK) clock: Clock,
    private readonly timekeeper: Timekeeper,
    @Optional() @Inject(SNAPSHOT_MAKER) private readonly make?: SnapshotMaker,
  ) {
    this.periodically = new Periodically(clock);
  }

  onApplicationBootstrap(): void {
    const { make } = this;
    if (make !== undefined) this.periodically.start((signal) => this.makeAll(make, signal));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.periodically.stop();
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
      made();
    } catch (error) {
      if (!signal.aborted) this.logger.warn(`partition ${partition}: no snapshot was made: ${String(error)}`);
    }
  }
}
