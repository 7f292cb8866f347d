// Waits until the read model has come as far as a write. All who wait share one look at the tables at a time.
import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Position } from '#event-log';
import { PositionRow, READ_MODEL_FOR_QUESTIONS } from '#read-model';
import { CLOCK, type Clock } from '#runtime';

const lookEveryMs = 20;

@Injectable()
export class FoldedPositions {
  private look: Promise<readonly PositionRow[]> | undefined;

  constructor(
    @Inject(READ_MODEL_FOR_QUESTIONS) private readonly readModel: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** True once everything up to the inbox position is folded; false where it is not after `timeoutMs`. */
  async reaches(position: Position, timeoutMs: number): Promise<boolean> {
    const until = this.clock.now() + timeoutMs;
    for (;;) {
      const rows = await this.current();
      if (rows.some((row) => isPast(row, position))) return true;
      if (this.clock.now() >= until) return false;
      await this.clock.sleep(lookEveryMs);
    }
  }

  private current(): Promise<readonly PositionRow[]> {
    this.look ??= this.readModel
      .getRepository(PositionRow)
      .find()
      .finally(() => (this.look = undefined));
    return this.look;
  }
}

function isPast(row: PositionRow, { partition, offset }: Position): boolean {
  if (row.partition !== partition) return false;
  return row.inboxOffset > offset || (row.inboxOffset === offset && row.complete);
}
