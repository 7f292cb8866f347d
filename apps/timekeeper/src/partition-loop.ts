// One partition's life: taken over, recovered, then decided turn by turn, until it is given up.
import { decodeLedger, type EventLog, type LedgerWriter, type SnapshotStore } from '#event-log';
import type { Clock } from '#runtime';
import { OutputWriter } from './output-writer.ts';
import { PartitionUnusableError } from './partition-unusable-error.ts';
import { recover } from './recovery.ts';
import { Ticker } from './ticker.ts';
import { Turns } from './turns.ts';

export class PartitionLoop {
  private isDeciding = false;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    readonly partition: number,
    private readonly deployment: string,
    private readonly snapshots?: SnapshotStore,
  ) {}

  /** True once the ledger is folded and new input is being decided. */
  get isReady(): boolean {
    return this.isDeciding;
  }

  /**
   * Decides until `signal` aborts. Throws `FencedError`, `LogUnavailableError`, `PartitionUnusableError`, or what a bug
   * throws; whatever it was, another run starts from the ledger.
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.assertOwn();
    const writer = await this.log.openWriter(this.partition, this.deployment);
    try {
      await this.decide(writer, signal);
    } finally {
      this.isDeciding = false;
      // What ended the run counts, not that the writer could not be given up: the next one fences it.
      await writer.release().catch(() => undefined);
    }
  }

  private async decide(writer: LedgerWriter, signal: AbortSignal): Promise<void> {
    const output = new OutputWriter(writer);
    await output.add({ v: 1, type: 'writerStarted', deployment: this.deployment, epoch: writer.epoch });
    await output.flush();
    await output.settle();
    const recovered = await recover(this.log, this.snapshots, this.partition, signal);
    const ticker = new Ticker(this.clock);
    ticker.measure(await this.log.now());
    const turns = new Turns(this.log, this.partition, ticker, output, recovered);
    this.isDeciding = !signal.aborted;
    while (!signal.aborted) await turns.next(signal);
    await output.settle();
  }

  /** The ledger's first record says whose it is. It is read before the partition is taken from anybody. */
  private async assertOwn(): Promise<void> {
    const [record] = await this.log.read('ledger', this.partition, { from: 0, limit: 1 });
    if (record === undefined) return;
    const first = decodeLedger(record.value);
    if (!('type' in first) || first.type !== 'writerStarted' || first.deployment === this.deployment) return;
    throw new PartitionUnusableError(
      'other_deployment',
      `the ledger belongs to the deployment "${first.deployment}", and this is "${this.deployment}"`,
    );
  }
}
