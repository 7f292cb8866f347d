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
import { Timekeeper, type WorthASnapshot } from './timekeeper.ts';

/** `SnapshotMaker`. */
export const SNAPSHOT_MAKER = Symbol('SnapshotMaker');

/** Makes one partition's snapshot, elsewhere than in the thread that decides. */
export type SnapshotMaker = (partition: number, signal: AbortSignal) => Promise<void>;

const PERIOD_MS = 60_000;

@Injectable()
export class Snapshotter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Snapshotter.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly timekeeper: Timekeeper,
    @Optional() @Inject(SNAPSHOT_MAKER) private readonly make?: SnapshotMaker,
  ) {}

  onApplicationBootstrap(): void {
    const { make } = this;
    if (make !== undefined) this.running = this.run(make);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(make: SnapshotMaker): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.clock.sleep(PERIOD_MS, signal);
      for (const worthy of this.timekeeper.worthASnapshot()) await this.makeOne(make, worthy, signal);
    }
  }

  /** One that fails is made later: the earlier one, or the ledger, still serves. */
  private async makeOne(make: SnapshotMaker, { partition, made }: WorthASnapshot, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      await make(partition, signal);
      made();
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.logger.warn(`partition ${partition}: no snapshot was made: ${String(error)}`);
    }
  }
}
