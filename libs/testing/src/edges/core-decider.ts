// Decides what is in a log's inbox with the real core and writes the ledger: a timekeeper in miniature, for edges' tests.
import {
  decodeInbox,
  encodeLedger,
  type EventLog,
  isRecordedAct,
  type LedgerWriter,
  type LogRecord,
  recordedAs,
  type UntimedInput,
} from '#event-log';
import { decide, formatInstant, State } from '#expectations';

/** Runs from `start` to `stop`; while it is paused nothing is decided. */
export class CoreDecider {
  private readonly log: EventLog;
  private readonly states = new Map<string, State>();
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();
  private resumed: Promise<void> = Promise.resolve();
  private resume: () => void = () => undefined;

  constructor(log: EventLog) {
    this.log = log;
  }

  start(): void {
    const partitions = Array.from({ length: this.log.partitionCount }, (_, partition) => this.run(partition));
    this.running = Promise.all(partitions);
  }

  /** Nothing is decided from here on until the function given back is called. */
  pause(): () => void {
    this.resumed = new Promise((resolve) => (this.resume = resolve));
    return this.resume;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.resume();
    await this.running;
  }

  private async run(partition: number): Promise<void> {
    const writer = await this.log.openWriter(partition, 'test');
    const { signal } = this.stopping;
    let from = 0;
    while (!signal.aborted) {
      for (const record of await this.log.read('inbox', partition, { from, limit: 100 })) {
        await this.decide(writer, record);
        from = record.offset + 1;
      }
      await this.log.waitFor('inbox', partition, from, 1_000, signal);
      await this.resumed;
    }
    await writer.release();
  }

  private async decide(writer: LedgerWriter, { tenant, value, offset, appendedAt }: LogRecord): Promise<void> {
    if (tenant === null) return;
    const state = this.states.get(tenant) ?? new State();
    this.states.set(tenant, state);
    const at = formatInstant(appendedAt);
    const input = decodeInbox(value);
    const events = isRecordedAct(input) ? [recordedAs(input, at)] : decide(state, { ...(input as UntimedInput), at });
    await writer.append([{ tenant, value: encodeLedger({ v: 1, tenant, at, offset, n: 0, last: true, events }) }]);
  }
}
