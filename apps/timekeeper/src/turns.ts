// The turns of one run: what the inbox has is read, decided and sent off; where it has nothing, time is let pass.
import { encodeInbox, type EventLog, type LogRecord } from '#event-log';
import { formatInstant } from '#expectations';
import type { BegunOutput } from './begun-output.ts';
import type { OutputWriter } from './output-writer.ts';
import type { PartitionDecider } from './partition-decider.ts';
import type { Recovered } from './recovery.ts';
import type { Ticker } from './ticker.ts';

/** At most so many inbox records a read. */
const READ_LIMIT = 1_000;
/** A position that moved without output is told so often. */
const POSITION_MOVED_MS = 60_000;

export class Turns {
  private readonly decider: PartitionDecider;
  private readonly begun: BegunOutput;
  private toldAtMs: number;
  /** What comes next, asked for while what came before is decided. */
  private ahead: Promise<readonly LogRecord[]> | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly partition: number,
    private readonly ticker: Ticker,
    private readonly output: OutputWriter,
    recovered: Recovered,
  ) {
    this.decider = recovered.decider;
    this.begun = recovered.begun;
    this.toldAtMs = recovered.toldAtMs;
  }

  /** One turn. After it has thrown there must be no other. */
  async next(signal: AbortSignal): Promise<void> {
    const records = await (this.ahead ?? this.read(this.decider.nextOffset));
    this.ahead = undefined;
    const last = records.at(-1);
    if (last === undefined) return this.idle(signal);
    this.ahead = this.read(last.offset + 1);
    // Its failure is told to the next turn.
    this.ahead.catch(() => undefined);
    return this.decide(records);
  }

  private read(from: number): Promise<readonly LogRecord[]> {
    return this.log.read('inbox', this.partition, { from, limit: READ_LIMIT });
  }

  private async decide(records: readonly LogRecord[]): Promise<void> {
    const { decider, output } = this;
    for (const record of records) {
      const decided = this.begun.restOf(decider.decide(record), record.offset);
      for (const entry of decided) await output.add(entry);
      if (decided.length > 0) this.toldAtMs = decider.nowMs;
    }
    // Not between the records of one input's output.
    if (this.begun.isEmpty && decider.nowMs - this.toldAtMs >= POSITION_MOVED_MS) {
      this.toldAtMs = decider.nowMs;
      const at = formatInstant(decider.nowMs);
      await output.add({ v: 1, type: 'positionMoved', at, offset: decider.nextOffset - 1, n: 0, last: true });
    }
    await output.flush();
  }

  /** Nothing to read: waits for a record, or appends a tick once a deadline has passed. It is read in the next turn. */
  private async idle(signal: AbortSignal): Promise<void> {
    const { log, partition, decider, ticker } = this;
    await this.output.settle();
    const untilTickMs = ticker.untilTick(decider.tenants.earliestDeadline());
    if (untilTickMs > 0) {
      await log.waitFor('inbox', partition, decider.nextOffset, untilTickMs, signal);
      return;
    }
    const appended = await log.append(partition, [{ tenant: null, value: encodeInbox({ type: 'tick' }) }]);
    ticker.ticked(appended.appendedAt);
  }
}
