// Reads the registered agents' cards again when they are due, sharing them with the other replicas, and tells the log
// what has changed. It must never leave a changed declaration untold: what was not told is claimed again and told first.
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { AgentCards, type CardClaim, CLOCK, type Clock, isWorldFault } from '#runtime';
import { orEndProcess } from '#serving';
import { Writes } from '#writes';
import { CardReader } from './card-reader.ts';

/** Cards that are read at once. */
const atOnceCount = 8;
/** How long nothing is looked for where nothing was due. */
const idleMs = 5_000;
/** While the log takes no more. */
const postponeSeconds = 60;
/** When what was left untold is to be read again. */
const unsaidSeconds = 900;

@Injectable()
export class CardSchedule implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(CardSchedule.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** Whose turn was last. */
  private after = '';

  constructor(
    private readonly cards: AgentCards,
    private readonly reader: CardReader,
    private readonly writes: Writes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.running = orEndProcess(this.run());
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Reads what is due until nothing is, a few at a time, each in the place of one that is done: none waits for another's
   * agent to answer. How many there were. Throws faults of the world, once what was begun is over: it is done again.
   */
  async pass(): Promise<number> {
    const reading = new Map<Promise<void>, string>();
    const faults: unknown[] = [];
    let count = 0;
    for (;;) {
      const claims = faults.length > 0 ? [] : await this.claim([...reading.values()], faults);
      for (const claim of claims) {
        const taken = this.take(claim).catch((error: unknown) => void faults.push(error));
        const done = taken.finally(() => reading.delete(done));
        reading.set(done, claim.tenant);
      }
      count += claims.length;
      if (claims.length > 0) continue;
      if (reading.size === 0) break;
      await this.oneDone([...reading.keys()]);
    }
    if (faults.length > 0) throw faults[0];
    return count;
  }

  /** For the places that are free; `held`: the tenants of the others. */
  private async claim(held: readonly string[], faults: unknown[]): Promise<readonly CardClaim[]> {
    if (held.length >= atOnceCount || this.stopping.signal.aborted) return [];
    try {
      const claims = await this.cards.claimDue(atOnceCount - held.length, { held, after: this.after });
      this.after = claims.at(-1)?.tenant ?? this.after;
      return claims;
    } catch (error) {
      faults.push(error);
      return [];
    }
  }

  /** Resolves once one is done, or it is time to look for what has become due meanwhile. */
  private async oneDone(reading: readonly Promise<void>[]): Promise<void> {
    const waiting = new AbortController();
    try {
      await Promise.race([...reading, this.clock.sleep(idleMs, waiting.signal)]);
    } finally {
      waiting.abort();
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        if ((await this.pass()) > 0) continue;
      } catch (error) {
        if (!isWorldFault(error)) throw error;
        this.logger.warn(`cards are read again later: ${String(error)}`);
      }
      await this.clock.sleep(idleMs, signal);
    }
  }

  private async take(claim: CardClaim): Promise<void> {
    if (claim.isUntold) {
      const current = await this.cards.current(claim.tenant, claim.agentId);
      if (current !== undefined) await this.tell(claim, current.declaration, unsaidSeconds);
      return;
    }
    const { signal } = this.stopping;
    const { toTell, periodSeconds } = await this.reader.read(claim, { isConditional: true, signal });
    if (toTell !== undefined) await this.tell(claim, toTell, periodSeconds);
  }

  private async tell(claim: CardClaim, params: unknown, periodSeconds: number): Promise<void> {
    const { tenant, agentId } = claim;
    const isTold = await this.writes.tell(tenant, [{ type: 'agentDeclared', agentId, params }]);
    if (isTold) await this.cards.told(claim, periodSeconds);
    else await this.cards.postpone(claim, postponeSeconds);
  }
}
