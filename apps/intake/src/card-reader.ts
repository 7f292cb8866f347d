// Reads a registered agent's card again, and keeps what has changed of it.
// It must never put a card that cannot be used in the place of one that can.
import { Inject, Injectable, Logger } from '@nestjs/common';
import { OUTBOUND, type Outbound } from '#outbound';
import {
  AgentCalls,
  CardFetchError,
  type ComparedCards,
  compareCards,
  type Declaration,
  fetchCardUnless,
  type FetchedCard,
  isSameJson,
  type UnchangedCard,
} from '#protocol';
import {
  type AgentAddress,
  AgentCards,
  AgentDirectory,
  type CardClaim,
  type CardProblem,
  type CurrentCard,
  SealBrokenError,
} from '#runtime';
import { CardMetrics, type CardOutcome } from './card-metrics.ts';
import { periodSecondsOf, readUsable } from './usable-card.ts';

export interface CardReadOptions {
  /** Whether the agent may answer that nothing has changed. */
  readonly isConditional: boolean;
  readonly signal?: AbortSignal;
}

export interface CardRead {
  readonly outcome: CardOutcome;
  /** When it is next to be read. */
  readonly periodSeconds: number;
  /** What the log is to be told, under the same claim. */
  readonly toTell?: Declaration;
  /** Where it could not be read. */
  readonly problem?: CardProblem;
}

type NamedAgent = Pick<CardClaim, 'tenant' | 'agentId'>;

@Injectable()
export class CardReader {
  private readonly logger = new Logger(CardReader.name);

  constructor(
    private readonly cards: AgentCards,
    private readonly directory: AgentDirectory,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    private readonly calls: AgentCalls,
    private readonly metrics: CardMetrics,
  ) {}

  /** Reads what is claimed. Throws `StorageUnavailableError`. */
  async read(claim: CardClaim, options: CardReadOptions): Promise<CardRead> {
    const read = await this.outcome(claim, options);
    this.metrics.read(read.outcome);
    return read;
  }

  /** What is raised of kinds that are gone is refused from now on: somebody should know. */
  noteDropped(agent: NamedAgent, { changes, droppedCount }: ComparedCards): void {
    if (droppedCount === 0) return;
    this.metrics.dropped(droppedCount);
    const kinds = changes.kindsDropped?.slice(0, 20).join(', ');
    this.logger.warn(`the card of ${nameOf(agent)} declares ${droppedCount} kinds no more: ${kinds}`);
  }

  private async outcome(claim: CardClaim, options: CardReadOptions): Promise<CardRead> {
    const { tenant, agentId } = claim;
    let agent: AgentAddress | undefined;
    let fetched: FetchedCard | UnchangedCard;
    try {
      agent = await this.directory.find(tenant, agentId);
      if (agent === undefined) return overtaken;
      fetched = await this.fetch(agent, claim, options);
    } catch (error) {
      // Whoever is told to stop has learnt nothing of the card: it is claimed again.
      if (options.signal?.aborted === true) return overtaken;
      return this.failed(claim, problemOf(error));
    }
    const periodSeconds = periodSecondsOf(fetched);
    const before = await this.cards.current(tenant, agentId);
    if (before === undefined) return overtaken;
    if (fetched.card === undefined || isSameJson(fetched.card, before.card)) {
      const isKept = await this.cards.unchanged(claim, fetched.etag, periodSeconds);
      return isKept ? { outcome: 'unchanged', periodSeconds } : overtaken;
    }
    return this.changed(claim, agent, fetched, before);
  }

  private fetch(agent: AgentAddress, claim: CardClaim, { isConditional, signal }: CardReadOptions) {
    const { cardUrl, auth } = agent;
    return fetchCardUnless(isConditional ? claim.etag : undefined, cardUrl, {
      outbound: this.outbound,
      calls: this.calls,
      ...(auth !== undefined && { auth }),
      ...(signal !== undefined && { signal }),
    });
  }

  private async changed(
    claim: CardClaim,
    agent: AgentAddress,
    fetched: FetchedCard,
    before: CurrentCard,
  ): Promise<CardRead> {
    const { card, etag } = fetched;
    const usable = readUsable(card, agent, before);
    if ('fatal' in usable) {
      return this.failed(claim, { code: usable.fatal.code, message: usable.fatal.message });
    }
    const { declaration, findings } = usable;
    const compared = compareCards(before, { card, declaration });
    const { changes, isDeclaredAnew } = compared;
    const periodSeconds = periodSecondsOf(fetched);
    const read = { card, declaration, findings, changes, periodSeconds, ...(etag !== undefined && { etag }) };
    if (!(await this.cards.changed(claim, read, isDeclaredAnew))) return overtaken;
    const isToTell = isDeclaredAnew || claim.isUntold;
    this.logger.log(`the card of ${nameOf(claim)} has changed: ${JSON.stringify(changes).slice(0, 1_000)}`);
    this.noteDropped(claim, compared);
    return { outcome: 'changed', periodSeconds, ...(isToTell && { toTell: declaration }) };
  }

  private async failed(claim: CardClaim, problem: CardProblem): Promise<CardRead> {
    const failuresCount = await this.cards.failed(claim, problem);
    if (failuresCount === undefined) return overtaken;
    if (failuresCount === 1) {
      this.logger.warn(`the card of ${nameOf(claim)} cannot be read, and stays as it is: ${problem.message}`);
    }
    return { outcome: 'failed', periodSeconds: 0, problem };
  }
}

const overtaken: CardRead = { outcome: 'overtaken', periodSeconds: 0 };

/** Throws what is nothing that may happen to a card. */
function problemOf(error: unknown): CardProblem {
  if (error instanceof CardFetchError) return { code: error.code, message: error.message };
  if (error instanceof SealBrokenError) return { code: 'credential_unreadable', message: error.message };
  throw error;
}

function nameOf({ tenant, agentId }: NamedAgent): string {
  return `the agent ${JSON.stringify(agentId)} of ${tenant}`;
}
