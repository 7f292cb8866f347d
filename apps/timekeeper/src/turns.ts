// The turns of one run: what the inbox has is read, decided and sent off; where it has nothing, time is let pass.
import { Logger } from '@nestjs/common';
import { encodeInbox, type EventLog, type LedgerEntry, type LogRecord, type PartitionHeld } from '#event-log';
import { formatInstant } from '#expectations';
import type { Clock } from '#runtime';
import type { BegunOutput } from './begun-output.ts';
import { ClockWatch } from './clock-watch.ts';
import { cut, cutAsync } from './decided-run.ts';
import { HeldPartition } from './held-partition.ts';
import type { OutputWriter } from './output-writer.ts';
import type { DecidingFigures } from './partition-figures.ts';
import type { PartitionTally } from './partition-tally.ts';
import type { Judged, PartitionDecider } from './partition-decider.ts';
import type { Recovered } from './recovery.ts';
import { askedRelease, releaseTenant } from './tenant-release.ts';
import { Ticker } from './ticker.ts';
import type { Verdict } from './verdict.ts';

/** At most so many inbox records a read. */
const READ_LIMIT = 1_000;
/** Where a read finds so many, more is likely to follow: it is asked for while they are decided. */
const WORTH_LOOKING_AHEAD = 100;
/** A position that moved without output is told so often. */
const POSITION_MOVED_MS = 60_000;

export interface TurnsOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly partition: number;
  readonly output: OutputWriter;
  readonly recovered: Recovered;
  /** What becomes of the input on which the core has thrown before. */
  readonly verdict: Verdict | undefined;
  readonly tally: PartitionTally;
}

export class Turns {
  private readonly logger = new Logger(Turns.name);
  private readonly log: EventLog;
  private readonly clock: Clock;
  private readonly partition: number;
  private readonly output: OutputWriter;
  private readonly decider: PartitionDecider;
  private readonly begun: BegunOutput;
  private readonly verdict: Verdict | undefined;
  private readonly ticker: Ticker;
  private readonly watch: ClockWatch;
  private readonly tally: PartitionTally;
  private held: HeldPartition | undefined;
  private toldAtMs: number;
  private foldedCount: number;
  /** What comes next, asked for while what came before is decided. */
  private ahead: Promise<readonly LogRecord[]> | undefined;

  constructor({ log, clock, partition, output, recovered, verdict, tally }: TurnsOptions) {
    this.log = log;
    this.clock = clock;
    this.partition = partition;
    this.output = output;
    this.decider = recovered.decider;
    this.begun = recovered.begun;
    this.toldAtMs = recovered.toldAtMs;
    this.foldedCount = recovered.foldedCount;
    this.verdict = verdict;
    this.tally = tally;
    this.ticker = new Ticker(clock);
    this.watch = new ClockWatch(clock, this.logger, partition);
    const { hold } = this.decider.place;
    if (hold !== undefined) this.held = this.holding(hold);
  }

  /** Why nothing is decided, while nothing is. */
  get hold(): PartitionHeld | undefined {
    return this.decider.place.hold;
  }

  /** What of the inbox the ledger says is decided, and no held tenant waits for: all before this offset. */
  get doneBefore(): number {
    const held = Array.from(this.decider.tenants.held.values(), ({ offset }) => offset);
    return Math.min(this.output.writtenOffset + 1, ...held);
  }

  /** How many events the ledger has that no snapshot has. */
  get unsnapshottedCount(): number {
    return this.foldedCount + this.output.eventTotal;
  }

  /** Expectations open in the partition. */
  get openCount(): number {
    return this.decider.tenants.openCount;
  }

  get figures(): DecidingFigures {
    const { tenants, place } = this.decider;
    const heldSince = Array.from(tenants.held.values(), ({ atMs }) => atMs);
    return {
      earliestDeadlineMs: tenants.earliestDeadline(),
      clockDifferenceMs: this.ticker.differenceMs,
      nextOffset: place.nextOffset,
      isHeld: place.hold !== undefined,
      heldTenantCount: tenants.held.size,
      heldSinceMs: heldSince.length === 0 ? undefined : Math.min(...heldSince),
      tenantCount: tenants.count,
      openCount: tenants.openCount,
    };
  }

  /** A snapshot has all of them up to so many. */
  snapshotted(count: number): void {
    this.foldedCount -= count;
  }

  /** Turns, until the signal aborts. After it has thrown it must not be called again. */
  async run(signal: AbortSignal): Promise<void> {
    this.ticker.measure(await this.log.now());
    // What has come before this process is not heard of: it is read at once.
    if (this.held === undefined) this.lookAhead(this.decider.place.nextOffset);
    while (!signal.aborted) await this.next(signal);
  }

  private async next(signal: AbortSignal): Promise<void> {
    if (this.held !== undefined) return this.awaitRelease(this.held, signal);
    const records = await (this.ahead ?? this.readNext(signal));
    this.ahead = undefined;
    const last = records.at(-1);
    if (last === undefined) return this.perhapsTick();
    if (records.length >= WORTH_LOOKING_AHEAD) this.lookAhead(last.offset + 1);
    return this.decide(records);
  }

  private lookAhead(from: number): void {
    this.ahead = this.read(from);
    // Its failure is told to the next turn.
    this.ahead.catch(() => undefined);
  }

  /** What comes next, waited for until a tick is due. What was sent off is written first: its failure must be told. */
  private async readNext(signal: AbortSignal): Promise<readonly LogRecord[]> {
    await this.output.settle();
    const { nextOffset } = this.decider.place;
    const untilTickMs = this.ticker.untilTick(this.decider.tenants.earliestDeadline());
    if (untilTickMs > 0) await this.log.waitFor('inbox', this.partition, nextOffset, untilTickMs, signal);
    return this.read(nextOffset);
  }

  private read(from: number): Promise<readonly LogRecord[]> {
    return this.log.read('inbox', this.partition, { from, limit: READ_LIMIT });
  }

  private async decide(records: readonly LogRecord[]): Promise<void> {
    for (const record of records) {
      if (this.mustHold(record)) return this.holdAt(record);
      await this.decideOne(record);
    }
    await this.tellPosition();
    await this.output.flush();
  }

  private async decideOne(record: LogRecord): Promise<void> {
    const { decider, begun } = this;
    const { offset } = record;
    const judged = this.judgedOf(offset);
    const release = askedRelease(decider, record);
    if (release === undefined) {
      for (const entry of cut(offset, decider.decide(record, judged))) await this.write(entry);
    } else {
      const readInbox = (from: number, before: number): AsyncIterable<LogRecord> => this.readInbox(from, before);
      const runs = releaseTenant(decider, record, release, readInbox, judged);
      for await (const entry of cutAsync(offset, runs)) await this.write(entry);
    }
    begun.assertDone(offset);
    this.tally.inputCount += 1;
  }

  private judgedOf(offset: number): Judged | undefined {
    const { verdict, begun } = this;
    return verdict?.offset === offset ? { verdict, begunOf: (tenant) => begun.eventsOf(tenant) } : undefined;
  }

  private async write(entry: LedgerEntry): Promise<void> {
    const rest = this.begun.restOf(entry);
    if (rest !== undefined) await this.output.add(rest);
    this.toldAtMs = this.decider.place.nowMs;
  }

  /** Says how far the inbox is decided where no output has said so for long. */
  private async tellPosition(): Promise<void> {
    const { place } = this.decider;
    if (!this.begun.isEmpty || place.nowMs - this.toldAtMs < POSITION_MOVED_MS) return;
    this.toldAtMs = place.nowMs;
    const at = formatInstant(place.nowMs);
    await this.output.add({ v: 1, type: 'positionMoved', at, offset: place.offset, n: 0, last: true });
  }

  /** Nothing to read: once a deadline has passed, a tick says so. It is read in the next turn. */
  private async perhapsTick(): Promise<void> {
    const { log, partition, decider, ticker } = this;
    if (ticker.untilTick(decider.tenants.earliestDeadline()) > 0) return;
    const appended = await log.append(partition, [{ tenant: null, value: encodeInbox({ type: 'tick' }) }]);
    ticker.ticked(appended.appendedAt);
    this.watch.ticked(appended.appendedAt);
  }

  /** Whether a record must not be decided as it is stamped: nobody has looked at it yet. */
  private mustHold(record: LogRecord): boolean {
    const { place } = this.decider;
    if (this.watch.isTooFarAhead(record.appendedAt) && place.releaseOf(record.offset) === undefined) return true;
    this.watch.saw(place.nowMs);
    return false;
  }

  /** The hold is in the ledger: neither a restart nor the passing of time ends it. */
  private async holdAt({ offset, appendedAt }: LogRecord): Promise<void> {
    const { output, decider } = this;
    this.ahead = undefined;
    const hold: PartitionHeld = {
      v: 1,
      type: 'partitionHeld',
      offset,
      stampedAt: formatInstant(appendedAt),
      clockAt: formatInstant(this.clock.now()),
    };
    await output.write(hold);
    decider.place.holdAt(hold);
    this.held = this.holding(hold);
  }

  private async awaitRelease(held: HeldPartition, signal: AbortSignal): Promise<void> {
    const release = await held.next(signal);
    if (release === undefined) return;
    await this.output.add(release);
    this.decider.place.release(release);
    this.held = undefined;
    this.logger.log(`partition ${this.partition} is released by ${release.by}`);
  }

  private holding(hold: PartitionHeld): HeldPartition {
    return new HeldPartition(this.log, this.clock, this.logger, this.partition, hold);
  }

  private async *readInbox(from: number, before: number): AsyncGenerator<LogRecord> {
    for (let next = from; next < before;) {
      const records = await this.read(next);
      for (const record of records) if (record.offset < before) yield record;
      next = (records.at(-1)?.offset ?? before) + 1;
    }
  }
}
