// A log that can be made unavailable at one chosen call, before or after what the call does has taken effect.
import {
  type Appended,
  type EventLog,
  type LedgerWriter,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  type ReadOptions,
  type Topic,
  type TrimOptions,
} from '#event-log';

/** `before`: the call has no effect. `after`: it has, and nobody is told. */
export type FailureMoment = 'before' | 'after';

export class FailingEventLog implements EventLog {
  readonly partitionCount: number;
  /** How many calls have been made that can fail. */
  callCount = 0;
  /** Appends to the ledger by a writer that had failed: there must be none. */
  appendsAfterFailureCount = 0;
  /** The number of the call that fails, from 0; no other does. */
  failsAtCall: number;
  private readonly log: EventLog;
  private readonly moment: FailureMoment;

  constructor(log: EventLog, failsAtCall: number, moment: FailureMoment) {
    this.log = log;
    this.partitionCount = log.partitionCount;
    this.failsAtCall = failsAtCall;
    this.moment = moment;
  }

  bounds(topic: Topic, partition: number): Promise<{ readonly earliest: number; readonly end: number }> {
    return this.perhaps(() => this.log.bounds(topic, partition));
  }

  append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    return this.perhaps(() => this.log.append(partition, records));
  }

  read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]> {
    return this.perhaps(() => this.log.read(topic, partition, options));
  }

  waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return this.log.waitFor(topic, partition, from, timeoutMs, signal);
  }

  trim(partition: number, options: TrimOptions): Promise<boolean> {
    return this.perhaps(() => this.log.trim(partition, options));
  }

  async openWriter(partition: number, deployment: string): Promise<LedgerWriter> {
    const writer = await this.perhaps(() => this.log.openWriter(partition, deployment));
    let hasFailed = false;
    return {
      partition,
      epoch: writer.epoch,
      append: async (records) => {
        if (hasFailed) this.appendsAfterFailureCount += 1;
        return this.perhaps(() => writer.append(records)).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        });
      },
      release: () => writer.release(),
    };
  }

  now(): Promise<number> {
    return this.perhaps(() => this.log.now());
  }

  close(): Promise<void> {
    return this.log.close();
  }

  private async perhaps<T>(call: () => Promise<T>): Promise<T> {
    const isFailing = this.callCount === this.failsAtCall;
    this.callCount += 1;
    if (isFailing && this.moment === 'before') throw new LogUnavailableError('the log is away: nothing was done');
    const answer = await call();
    if (isFailing) throw new LogUnavailableError('the log is away: it was done all the same');
    return answer;
  }
}
