// The log all instances share: the one in memory, under a clock that may step, with the oracle looking on.
import { type LedgerWriter, type LogRecord, MemoryEventLog, type Topic } from '#event-log';
import type { World } from './world.ts';

export const PARTITION_COUNT = 2;

/** Told of what the log has taken, at once and in order. */
export interface LogWitness {
  appended(topic: Topic, partition: number, records: readonly LogRecord[], epoch: number | undefined): void;
  takenOver(partition: number, epoch: number): void;
}

export class SharedLog {
  readonly memory: MemoryEventLog;
  /** The log's clock minus the true time. */
  skewMs = 0;
  private readonly witnesses: LogWitness[] = [];
  private readonly seen = { inbox: new Map<number, number>(), ledger: new Map<number, number>() };

  constructor(private readonly world: World) {
    this.memory = new MemoryEventLog({
      clock: world.clock,
      partitionCount: PARTITION_COUNT,
      now: () => this.now(),
    });
  }

  now(): number {
    return Math.floor(this.world.nowMs + this.skewMs);
  }

  watch(witness: LogWitness): void {
    this.witnesses.push(witness);
  }

  async openWriter(partition: number): Promise<LedgerWriter> {
    const writer = await this.memory.openWriter(partition);
    for (const witness of this.witnesses) witness.takenOver(partition, writer.epoch);
    return writer;
  }

  /** Shows the witnesses what has been appended since they looked. */
  async show(topic: Topic, partition: number, epoch?: number): Promise<void> {
    const from = this.seen[topic].get(partition) ?? 0;
    const records = await this.memory.read(topic, partition, { from, limit: 100_000 });
    const last = records.at(-1);
    if (last === undefined) return;
    this.seen[topic].set(partition, last.offset + 1);
    for (const witness of this.witnesses) witness.appended(topic, partition, records, epoch);
  }
}
