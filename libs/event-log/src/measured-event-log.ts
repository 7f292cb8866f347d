// A log that counts what is appended to it. It must never change what the log below does, nor keep a record.
import type { Clock, MetricFamily, MetricSample, MetricSource } from '#runtime';
import {
  type Appended,
  type EventLog,
  FencedError,
  type LedgerWriter,
  LogFullError,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  type ReadOptions,
  type Topic,
  type TrimOptions,
} from './port.ts';

type Failure = 'fenced' | 'full' | 'unavailable' | 'other';

/** Of one topic, since the process started. */
class Tally {
  appendCount = 0;
  recordCount = 0;
  byteCount = 0;
  tookMs = 0;
  pendingCount = 0;
  readonly failureCounts: Record<Failure, number> = { fenced: 0, full: 0, unavailable: 0, other: 0 };
}

export class MeasuredEventLog implements EventLog, MetricSource {
  readonly name = 'log';
  readonly partitionCount: number;
  private readonly tallies: Readonly<Record<Topic, Tally>> = { inbox: new Tally(), ledger: new Tally() };

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
  ) {
    this.partitionCount = log.partitionCount;
  }

  bounds(topic: Topic, partition: number): Promise<{ readonly earliest: number; readonly end: number }> {
    return this.log.bounds(topic, partition);
  }

  append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    return this.measure(this.tallies.inbox, records, () => this.log.append(partition, records));
  }

  read(topic: Topic, partition: number, options: ReadOptions): Promise<readonly LogRecord[]> {
    return this.log.read(topic, partition, options);
  }

  waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return this.log.waitFor(topic, partition, from, timeoutMs, signal);
  }

  trim(partition: number, options: TrimOptions): Promise<boolean> {
    return this.log.trim(partition, options);
  }

  async openWriter(partition: number, deployment: string): Promise<LedgerWriter> {
    const writer = await this.log.openWriter(partition, deployment);
    return {
      partition: writer.partition,
      epoch: writer.epoch,
      append: (records) => this.measure(this.tallies.ledger, records, () => writer.append(records)),
      release: () => writer.release(),
    };
  }

  now(): Promise<number> {
    return this.log.now();
  }

  close(): Promise<void> {
    return this.log.close();
  }

  async collect(): Promise<readonly MetricFamily[]> {
    const by = (valueOf: (tally: Tally) => number): MetricSample[] =>
      Object.entries(this.tallies).map(([topic, tally]) => ({ labels: { topic }, value: valueOf(tally) }));
    const total = (name: string, help: string, valueOf: (tally: Tally) => number): MetricFamily => ({
      ...{ name, help, type: 'counter', samples: by(valueOf) },
    });
    return [
      total('duewatch_log_appends_total', 'Appends that the log has taken', ({ appendCount }) => appendCount),
      total('duewatch_log_records_total', 'Records in those appends', ({ recordCount }) => recordCount),
      total('duewatch_log_bytes_total', 'Bytes of those records', ({ byteCount }) => byteCount),
      total('duewatch_log_append_seconds_total', 'What those appends took together', ({ tookMs }) => tookMs / 1_000),
      {
        name: 'duewatch_log_append_failures_total',
        help: 'Appends that failed: fenced (another writer has taken over), full, unavailable, other',
        type: 'counter',
        samples: Object.entries(this.tallies).flatMap(([topic, { failureCounts }]) =>
          Object.entries(failureCounts).map(([reason, value]) => ({ labels: { topic, reason }, value })),
        ),
      },
      {
        name: 'duewatch_log_appends_pending',
        help: 'Appends that the log has not answered yet',
        type: 'gauge',
        samples: by(({ pendingCount }) => pendingCount),
      },
    ];
  }

  private async measure(tally: Tally, records: readonly NewRecord[], append: () => Promise<Appended>) {
    const startedAtMs = this.clock.now();
    tally.pendingCount += 1;
    try {
      const appended = await append();
      tally.appendCount += 1;
      tally.recordCount += records.length;
      tally.byteCount += records.reduce((sum, { value }) => sum + value.byteLength, 0);
      // A clock that is set back must not make a total fall.
      tally.tookMs += Math.max(0, this.clock.now() - startedAtMs);
      return appended;
    } catch (error) {
      tally.failureCounts[failureOf(error)] += 1;
      throw error;
    } finally {
      tally.pendingCount -= 1;
    }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof FencedError) return 'fenced';
  if (error instanceof LogFullError) return 'full';
  return error instanceof LogUnavailableError ? 'unavailable' : 'other';
}
