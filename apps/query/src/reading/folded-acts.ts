// Tells the log what an operator asks, and waits until it can be read. It must never decide what has come of it: that is
// read from the tables, as anybody else would.
import { Inject, Injectable } from '@nestjs/common';
import { type DispatchAct, encodeInbox, type EventLog, formatPosition, partitionOf } from '#event-log';
import { EVENT_LOG } from '#runtime';
import { FoldedPositions } from './folded-positions.ts';

/** Where the acts went; `isFolded` is false where it takes longer than was waited. */
export interface ToldActs {
  readonly position: string;
  readonly isFolded: boolean;
}

@Injectable()
export class FoldedActs {
  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    private readonly positions: FoldedPositions,
  ) {}

  /** Appends them, at least one, all or none. Throws `LogUnavailableError`. */
  async tell(tenant: string, acts: readonly DispatchAct[], waitMs: number): Promise<ToldActs> {
    const records = acts.map((act) => ({ tenant, value: encodeInbox(act) }));
    const { partition, offsets } = await this.log.append(partitionOf(tenant, this.log.partitionCount), records);
    const position = { partition, offset: offsets.at(-1) ?? 0 };
    const isFolded = await this.positions.reaches(position, waitMs);
    return { position: formatPosition(position), isFolded };
  }
}
