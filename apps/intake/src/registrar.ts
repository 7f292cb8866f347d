// Registers an agent: fetches its card, keeps where and how to call it, and tells the log what it declares.
// It must never tell the log a credential.
import { Inject, Injectable } from '@nestjs/common';
import type { UntimedInput } from '#event-log';
import { OUTBOUND, type Outbound } from '#outbound';
import { CardFetchError, fetchCard, type FetchedCard, type Finding, readDeclaration } from '#protocol';
import { AgentDirectory, DispatchProfiles, Problem } from '#runtime';
import { type WriteAnswer, Writes } from '#writes';
import type { AgentRequest } from './agent-request.ts';

/** Findings after which nothing of the declaration can be used. */
const unusable: readonly Finding['code'][] = ['card_unreadable', 'extension_missing', 'params_missing'];

@Injectable()
export class Registrar {
  constructor(
    private readonly directory: AgentDirectory,
    private readonly profiles: DispatchProfiles,
    private readonly writes: Writes,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
  ) {}

  /** Answers with the agent. Throws `Problem` where there is no card, or no usable declaration on it. */
  async register(tenant: string, agentId: string, request: AgentRequest, waitMs: number): Promise<WriteAnswer> {
    const { cardUrl, auth, settings, dispatch = {} } = request;
    const { card } = await this.fetch(request);
    const { params, findings } = readDeclaration(card);
    const fatal = findings.find(({ code }) => unusable.includes(code));
    if (fatal !== undefined) throw new Problem('declaration-unusable', fatal.message, { findings });
    const kept = { tenant, agentId, cardUrl, card, declaration: params, findings, settings: settings ?? {} };
    // Before the log is told, whose `agentDeclared` has the dispatcher look at both anew.
    await this.profiles.set(tenant, agentId, dispatch);
    const registered = await this.directory.register({ ...kept, ...(auth !== undefined && { auth }) });
    const agent = { ...registered, dispatch: await this.profiles.find(tenant, { agentId, cardUrl }) };
    const inputs: readonly UntimedInput[] = [
      ...(settings === undefined ? [] : [{ type: 'configured' as const, agentId, settings }]),
      { type: 'agentDeclared', agentId, params },
    ];
    return this.writes.submit({ tenant, inputs, plan: { kind: 'agent', agent }, waitMs });
  }

  private async fetch({ cardUrl, auth }: AgentRequest): Promise<FetchedCard> {
    try {
      return await fetchCard(cardUrl, { outbound: this.outbound, ...(auth !== undefined && { auth }) });
    } catch (error) {
      if (!(error instanceof CardFetchError)) throw error;
      const { code, retryable } = error;
      throw new Problem('card-unreadable', error.message, { field: 'cardUrl', code, retryable }, { cause: error });
    }
  }
}
