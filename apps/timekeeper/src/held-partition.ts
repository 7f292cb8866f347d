// A partition that is held because an input is stamped too far ahead: nothing is decided until an operator says at
// which instant what has come since is taken. What it must never do is go on because time has passed.
import type { Logger } from '@nestjs/common';
import type { EventLog, LogRecord, PartitionHeld, PartitionReleased } from '#event-log';
import { formatInstant, parseInstant } from '#expectations';
import type { Clock } from '#runtime';
import { FURTHEST_AHEAD_MS } from './clock-watch.ts';
import { readAct } from './told.ts';

const READ_LIMIT = 1_000;
/** That it is held is told so often. */
const TELL_AGAIN_MS = 60_000;

export class HeldPartition {
  private from: number;
  private toldAtMs = -Infinity;
  /** The latest stamp of what is held. */
  private latestMs: number;

  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly partition: number,
    private readonly hold: PartitionHeld,
  ) {
    this.from = hold.offset;
    this.latestMs = parseInstant(hold.stampedAt);
  }

  /** The release, once the inbox has one; undefined after a while without, or when the signal aborts. */
  async next(signal: AbortSignal): Promise<PartitionReleased | undefined> {
    this.tell();
    const { log, partition } = this;
    const records = await log.read('inbox', partition, { from: this.from, limit: READ_LIMIT });
    for (const record of records) {
      this.from = record.offset + 1;
      this.latestMs = Math.max(this.latestMs, record.appendedAt);
      const release = this.releaseIn(record);
      if (release !== undefined) return release;
    }
    if (records.length === 0) await log.waitFor('inbox', partition, this.from, TELL_AGAIN_MS, signal);
    return undefined;
  }

  private releaseIn(record: LogRecord): PartitionReleased | undefined {
    const act = record.tenant === null ? readAct(record) : undefined;
    if (act?.type !== 'partitionReleaseRequested' || act.heldOffset !== this.hold.offset) return undefined;
    const { takenAt, by } = act;
    const latestMs = takenAt === undefined ? this.latestMs : parseInstant(takenAt);
    if (latestMs - this.clock.now() > FURTHEST_AHEAD_MS) {
      const at = takenAt ?? `${formatInstant(latestMs)}, as they are stamped`;
      this.logger.error(`partition ${this.partition} stays held: it is asked to take inputs at ${at}, yet to come`);
      return undefined;
    }
    const { offset } = this.hold;
    return {
      v: 1,
      type: 'partitionReleased',
      offset,
      through: record.offset,
      ...(takenAt === undefined ? {} : { takenAt: formatInstant(parseInstant(takenAt)) }),
      by,
    };
  }

  private tell(): void {
    const nowMs = this.clock.now();
    if (Math.abs(nowMs - this.toldAtMs) < TELL_AGAIN_MS) return;
    this.toldAtMs = nowMs;
    const { offset, stampedAt, clockAt } = this.hold;
    this.logger.error(
      `partition ${this.partition} is held: the input at ${offset} is stamped ${stampedAt}, and it was ${clockAt}. ` +
        'Set the clock of the log right, then release what is held',
    );
  }
}
