// Whether the log would take what a send may bring: a gateway that cannot tell the log refuses new work rather than let an
// expectation go unwatched.
import { Inject, Injectable } from '@nestjs/common';
import { type EventLog, LogUnavailableError, partitionOf } from '#event-log';
import { CLOCK, type Clock, EVENT_LOG, Problem } from '#runtime';
import { Writes } from '#writes';

/** For so long a log that has answered is believed to be there. */
const openMs = 3_000;
/** So long before that it is asked again, so that nobody waits for it. */
const askAheadMs = 2_000;
/** For so long after a failed append none is tried by new work. */
const closedMs = 2_000;

interface Gate {
  openUntil: number;
  closedUntil: number;
  asking: Promise<void> | undefined;
}

@Injectable()
export class LogGate {
  private readonly gates = new Map<number, Gate>();

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly writes: Writes,
  ) {}

  /** Throws `Problem` (`unwatched`) where the log is not there, or too much of the tenant is not decided yet. */
  async assertOpen(tenant: string): Promise<void> {
    if (!this.writes.hasRoomToTell(tenant)) {
      throw new Problem('unwatched', 'too much that was seen of your agents is not decided yet: send it again');
    }
    const partition = partitionOf(tenant, this.log.partitionCount);
    const gate = this.gateOf(partition);
    const now = this.clock.now();
    if (gate.openUntil > now + askAheadMs) return;
    if (gate.closedUntil > now) throw closed();
    gate.asking ??= this.ask(partition, gate).finally(() => (gate.asking = undefined));
    if (gate.openUntil <= now) await gate.asking;
    // Who comes after its time is up is told how it went.
    else gate.asking.catch(() => undefined);
  }

  /** Whether an append has failed a moment ago. */
  isClosed(tenant: string): boolean {
    return this.gateOf(partitionOf(tenant, this.log.partitionCount)).closedUntil > this.clock.now();
  }

  /** Does an append of the tenant's, and remembers how it went. Throws what it throws. */
  async through<T>(tenant: string, append: () => Promise<T>): Promise<T> {
    const gate = this.gateOf(partitionOf(tenant, this.log.partitionCount));
    try {
      const done = await append();
      gate.openUntil = this.clock.now() + openMs;
      return done;
    } catch (error) {
      if (error instanceof LogUnavailableError) {
        gate.openUntil = 0;
        gate.closedUntil = this.clock.now() + closedMs;
      }
      throw error;
    }
  }

  private async ask(partition: number, gate: Gate): Promise<void> {
    try {
      await this.log.bounds('inbox', partition);
      gate.openUntil = this.clock.now() + openMs;
    } catch (error) {
      if (!(error instanceof LogUnavailableError)) throw error;
      throw closed(error);
    }
  }

  private gateOf(partition: number): Gate {
    const gate = this.gates.get(partition) ?? { openUntil: 0, closedUntil: 0, asking: undefined };
    this.gates.set(partition, gate);
    return gate;
  }
}

function closed(cause?: unknown): Problem {
  return new Problem(
    'unwatched',
    'the log cannot be reached, and nothing was sent to the agent: send it again',
    {},
    { cause },
  );
}
