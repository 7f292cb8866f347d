// Registers an agent: fetches its card, keeps where and how to call it, and tells the log what it declares; and reads the
// card again when it is told to. It must never tell the log a credential.
import { Inject, Injectable } from '@nestjs/common';
import type { UntimedInput } from '#event-log';
import { OUTBOUND, type Outbound } from '#outbound';
import { AgentCalls, CardFetchError, compareCards, fetchCard, type FetchedCard } from '#protocol';
import { AgentCards, AgentDirectory, AgentReminders, AgentTroubles, DispatchProfiles, Problem } from '#runtime';
import { type WriteAnswer, Writes } from '#writes';
import type { AgentRequest } from './agent-request.ts';
import { CardReader } from './card-reader.ts';
import { periodSecondsOf, readUsable } from './usable-card.ts';

@Injectable()
export class Registrar {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly cards: AgentCards,
    private readonly reader: CardReader,
    private readonly profiles: DispatchProfiles,
    private readonly reminders: AgentReminders,
    private readonly troubles: AgentTroubles,
    private readonly writes: Writes,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    private readonly calls: AgentCalls,
  ) {}

  /** Answers with the agent. Throws `Problem` where there is no card, or no usable declaration on it. */
  async register(tenant: string, agentId: string, request: AgentRequest, waitMs: number): Promise<WriteAnswer> {
    const { cardUrl, auth, settings, dispatch = {} } = request;
    const fetched = await this.fetch(request);
    const { card, etag } = fetched;
    const before = await this.cards.current(tenant, agentId);
    const usable = readUsable(card, request, before);
    const { findings } = usable;
    if ('fatal' in usable) throw new Problem('declaration-unusable', usable.fatal.message, { findings });
    const { declaration } = usable;
    const periodSeconds = periodSecondsOf(fetched);
    const compared = before && compareCards(before, { card, declaration });
    // Before the log is told, whose `agentDeclared` has the dispatcher look at all of it anew.
    await this.profiles.set(tenant, agentId, dispatch);
    await this.reminders.set(tenant, agentId, request.reminders);
    await this.troubles.reminderTold(tenant, agentId);
    const { agent: registered, claim } = await this.directory.register({
      ...{ tenant, agentId, cardUrl, card, declaration, findings, settings: settings ?? {}, periodSeconds },
      ...(compared !== undefined && { changes: compared.changes }),
      ...(etag !== undefined && { etag }),
      ...(auth !== undefined && { auth }),
    });
    const reminded = await this.reminders.addTo(tenant, [registered]);
    const [agent = registered] = await this.profiles.addTo(tenant, reminded);
    if (compared !== undefined) this.reader.noteDropped({ tenant, agentId }, compared);
    const inputs: readonly UntimedInput[] = [
      ...(settings === undefined ? [] : [{ type: 'configured' as const, agentId, settings }]),
      { type: 'agentDeclared', agentId, params: declaration },
    ];
    const answer = await this.writes.submit({ tenant, inputs, plan: { kind: 'agent', agent }, waitMs });
    await this.cards.told(claim, periodSeconds);
    return answer;
  }

  /** Reads the card now. Answers with the agent and what became of it. Throws `Problem` where it cannot be read. */
  async readAgain(tenant: string, agentId: string, waitMs: number): Promise<WriteAnswer> {
    const claim = await this.cards.claim(tenant, agentId);
    if (claim === undefined) throw agentUnknown(agentId);
    const { outcome, problem, toTell, periodSeconds } = await this.reader.read(claim, { isConditional: false });
    if (problem !== undefined) throw new Problem('card-unreadable', problem.message, { code: problem.code });
    const agent = { ...(await this.directory.view(tenant, agentId)), read: outcome };
    const inputs: readonly UntimedInput[] =
      toTell === undefined ? [] : [{ type: 'agentDeclared', agentId, params: toTell }];
    const answer = await this.writes.submit({ tenant, inputs, plan: { kind: 'agent', agent }, waitMs });
    if (toTell !== undefined) await this.cards.told(claim, periodSeconds);
    return answer;
  }

  private async fetch({ cardUrl, auth }: AgentRequest): Promise<FetchedCard> {
    try {
      const options = { outbound: this.outbound, calls: this.calls, ...(auth !== undefined && { auth }) };
      return await fetchCard(cardUrl, options);
    } catch (error) {
      if (!(error instanceof CardFetchError)) throw error;
      const { code, retryable } = error;
      throw new Problem('card-unreadable', error.message, { field: 'cardUrl', code, retryable }, { cause: error });
    }
  }
}

export function agentUnknown(agentId: string): Problem {
  return new Problem('agent-unknown', 'no agent of this id is registered', { agentId });
}
