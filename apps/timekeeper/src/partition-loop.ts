// One partition's life: taken over, recovered, then decided turn by turn, until it is given up.
import { decodeLedger, type EventLog, type LedgerWriter, type SnapshotStore } from '#event-log';
import type { Clock } from '#runtime';
import type { Core } from './core.ts';
import { DeciderFaultError } from './decider-fault-error.ts';
import { OutputWriter } from './output-writer.ts';
import { PartitionUnusableError } from './partition-unusable-error.ts';
import type { DecidingFigures, PartitionFigures } from './partition-figures.ts';
import { PartitionTally } from './partition-tally.ts';
import { recover, type Recovered } from './recovery.ts';
import { isWorthASnapshot } from './snapshotting.ts';
import type { WorthASnapshot } from './timekeeper.ts';
import { Turns } from './turns.ts';
import { Verdict } from './verdict.ts';

export class PartitionLoop {
  private turns: Turns | undefined;
  private verdict: Verdict | undefined;
  private readonly tally = new PartitionTally();
  /** Of the last run: its state is gone, and what was not judged still is not. */
  private lastFigures: DecidingFigures | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    readonly partition: number,
    private readonly deployment: string,
    private readonly snapshots?: SnapshotStore,
    private readonly core?: Core,
  ) {}

  /** Undefined once the ledger is folded and new input is being decided; until then, or while it is held, why not. */
  get notDeciding(): string | undefined {
    if (this.turns === undefined) return `partition ${this.partition} is not deciding yet`;
    const { hold } = this.turns;
    return (
      hold && `partition ${this.partition} is held: an input is stamped ${hold.stampedAt}, and it was ${hold.clockAt}`
    );
  }

  /** What of the inbox the ledger has decided and nobody waits for: all before this offset. */
  get doneBefore(): number {
    return this.turns?.doneBefore ?? 0;
  }

  get figures(): PartitionFigures {
    const { partition, turns, tally } = this;
    return {
      partition,
      isDeciding: this.notDeciding === undefined,
      deciding: turns?.figures ?? this.lastFigures,
      tally,
    };
  }

  /** Itself, where a start would have much to fold that no snapshot has. */
  worthASnapshot(): WorthASnapshot | undefined {
    const { turns, partition } = this;
    if (turns === undefined || !isWorthASnapshot(turns.unsnapshottedCount, turns.openCount)) return undefined;
    const begunAt = turns.unsnapshottedCount;
    return { partition, made: () => turns.snapshotted(begunAt) };
  }

  /**
   * Decides until `signal` aborts. Throws `FencedError`, `LogUnavailableError`, `PartitionUnusableError`,
   * `DeciderFaultError` where the core throws on an input for the first time, or what another bug throws; whatever it
   * was, another run starts from the ledger.
   */
  async run(signal: AbortSignal): Promise<void> {
    await this.assertOwn();
    while (!signal.aborted) {
      const writer = await this.log.openWriter(this.partition, this.deployment);
      try {
        await this.decide(writer, signal);
      } finally {
        this.lastFigures = this.turns?.figures ?? this.lastFigures;
        this.turns = undefined;
        // What ended the run counts, not that the writer could not be given up: the next one fences it.
        await writer.release().catch(() => undefined);
      }
    }
  }

  /** Until the signal aborts, or what the core throws on has been judged: the partition is then to be folded again. */
  private async decide(writer: LedgerWriter, signal: AbortSignal): Promise<void> {
    const { log, clock, partition, deployment, snapshots, core, verdict, tally } = this;
    const startedAtMs = clock.now();
    const output = new OutputWriter(writer, tally);
    await output.write({ v: 1, type: 'writerStarted', deployment, epoch: writer.epoch });
    const recovered = await recover({ log, snapshots, partition, core }, signal);
    const turns = new Turns({ log, clock, partition, output, recovered, verdict, tally });
    tally.restoredInMs = clock.now() - startedAtMs;
    this.turns = turns;
    try {
      await turns.run(signal);
    } catch (error) {
      if (!(error instanceof DeciderFaultError)) throw error;
      await this.judge(error, recovered, output);
    }
    await output.settle();
  }

  /** Thrown on for the first time, the fault is told to the ledger and ends the process; then it is judged. */
  private async judge(fault: DeciderFaultError, { decider }: Recovered, output: OutputWriter): Promise<void> {
    const { offset } = fault;
    if (!decider.place.hasFailed(offset)) {
      await output.write({ v: 1, type: 'inputFailed', offset, cause: fault.message });
      throw fault;
    }
    if (this.verdict?.offset !== offset) this.verdict = new Verdict(offset);
    if (!this.verdict.add(fault)) throw fault;
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
