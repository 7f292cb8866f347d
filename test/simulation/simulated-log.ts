// The log as one instance reaches it: every call is on its way for a while and may fail, done or not.
import {
  type Appended,
  type EventLog,
  type LedgerWriter,
  type LogRecord,
  LogUnavailableError,
  type NewRecord,
  type ReadOptions,
  SerialLedgerWriter,
  type Topic,
  type TrimOptions,
} from '#event-log';
import { type Instance, latencyMs } from './instance.ts';
import type { SharedLog } from './shared-log.ts';

export class SimulatedLog implements EventLog {
  readonly partitionCount: number;

  constructor(
    private readonly shared: SharedLog,
    private readonly instance: Instance,
  ) {
    this.partitionCount = shared.memory.partitionCount;
  }

  bounds(topic: Topic, partition: number): Promise<{ readonly earliest: number; readonly end: number }> {
    return this.call(`bounds ${topic} ${partition}`, () => this.shared.memory.bounds(topic, partition), {
      shown: ({ end }) => `${end}`,
    });
  }

  append(partition: number, records: readonly NewRecord[]): Promise<Appended> {
    const effect = async (): Promise<Appended> => {
      const appended = await this.shared.memory.append(partition, records);
      await this.shared.show('inbox', partition);
      return appended;
    };
    return this.call(`append inbox ${partition} ×${records.length}`, effect, {
      mayOutlive: true,
      shown: ({ offsets }) => offsets.join(),
    });
  }

  read(topic: Topic, partition: number, { from, limit }: ReadOptions): Promise<readonly LogRecord[]> {
    const { chance, swarm } = this.instance.world;
    const short = chance.happens(swarm.shortReadRate) ? chance.between(1, Math.min(limit, 4)) : limit;
    const effect = () => this.shared.memory.read(topic, partition, { from, limit: short });
    return this.call(`read ${topic} ${partition} from ${from}`, effect, { shown: ({ length }) => `${length}` });
  }

  async waitFor(topic: Topic, partition: number, from: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const { instance } = this;
    const { world } = instance;
    const isEarly = world.chance.happens(world.swarm.earlyWakeRate);
    const timeout = isEarly ? world.chance.below(Math.max(1, timeoutMs)) : timeoutMs;
    const ended = AbortSignal.any([...(signal === undefined ? [] : [signal]), instance.dying.signal]);
    await instance.living(this.shared.memory.waitFor(topic, partition, from, timeout, ended));
    // A wake-up may be late, by less than a second.
    await instance.living(world.sleep(Math.min(900, latencyMs(world)), `${instance.name} wakes for ${topic}`));
  }

  trim(partition: number, options: TrimOptions): Promise<boolean> {
    return this.call(`trim inbox ${partition}`, () => this.shared.memory.trim(partition, options));
  }

  async openWriter(partition: number): Promise<LedgerWriter> {
    const writer = await this.call(`take over ${partition}`, () => this.shared.openWriter(partition), {
      mayOutlive: true,
      shown: ({ epoch }) => `epoch ${epoch}`,
    });
    return new SerialLedgerWriter(partition, writer.epoch, (records) => this.write(writer, records));
  }

  now(): Promise<number> {
    return this.call('now', () => this.shared.memory.now());
  }

  async close(): Promise<void> {
    // The shared log outlives whoever holds it.
  }

  private write(writer: LedgerWriter, records: readonly NewRecord[]): Promise<Appended> {
    const effect = async (): Promise<Appended> => {
      const appended = await writer.append(records);
      await this.shared.show('ledger', writer.partition, writer.epoch);
      return appended;
    };
    return this.call(`append ledger ${writer.partition} ×${records.length} as ${writer.epoch}`, effect, {
      mayOutlive: true,
      shown: ({ offsets }) => offsets.join(),
    });
  }

  private call<T>(
    what: string,
    effect: () => Promise<T>,
    how: { readonly mayOutlive?: boolean; readonly shown?: (answer: T) => string } = {},
  ): Promise<T> {
    const fault = (isDone: boolean): Error =>
      new LogUnavailableError(
        isDone ? 'the log did not answer: it was done' : 'the log did not answer: nothing was done',
      );
    return this.instance.call({ port: 'log', what, effect, fault, ...how });
  }
}
