// Has snapshots made now and then, one partition after the other, beside whoever decides.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Optional,
} from '@nestjs/common';
import type { EventLog, SnapshotStore } from '#event-log';
import { CLOCK, type Clock, EVENT_LOG } from '#runtime';
import { isWorthASnapshot } from './snapshotting.ts';

/** `SnapshotStore`; absent where every start folds the whole ledger. */
export const SNAPSHOT_STORE = Symbol('SnapshotStore');
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
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(SNAPSHOT_STORE) private readonly store?: SnapshotStore,
    @Optional() @Inject(SNAPSHOT_MAKER) private readonly make?: SnapshotMaker,
  ) {}

  onApplicationBootstrap(): void {
    const { store, make } = this;
    if (store !== undefined && make !== undefined) this.running = this.run(store, make);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(store: SnapshotStore, make: SnapshotMaker): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.clock.sleep(PERIOD_MS, signal);
      await this.makeAll(store, make, signal);
    }
  }

  private async makeAll(store: SnapshotStore, make: SnapshotMaker, signal: AbortSignal): Promise<void> {
    for (let partition = 0; partition < this.log.partitionCount; partition += 1) {
      if (signal.aborted) return;
      await this.makeOne(store, make, partition);
    }
  }

  /** One that fails is made later: the earlier one, or the ledger, still serves. */
  private async makeOne(store: SnapshotStore, make: SnapshotMaker, partition: number): Promise<void> {
    try {
      if (await isWorthASnapshot(this.log, store, partition)) await make(partition, this.stopping.signal);
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.logger.warn(`partition ${partition}: no snapshot was made: ${String(error)}`);
    }
  }
}
