// `/v1/agents`: register, list, read, probe.
import { Controller, Get, Headers, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  AgentDirectory,
  AgentReminders,
  AgentTroubles,
  type AgentView,
  type Caller,
  CurrentCaller,
  DispatchProfiles,
  JsonBody,
  readText,
  RequireScope,
} from '#runtime';
import { readWaitMs, sendAnswer } from '#writes';
import { readAgentRequest } from './agent-request.ts';
import { readPage } from './page.ts';
import { Prober } from './prober.ts';
import { agentUnknown, Registrar } from './registrar.ts';

@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly registrar: Registrar,
    private readonly directory: AgentDirectory,
    private readonly profiles: DispatchProfiles,
    private readonly prober: Prober,
    private readonly troubles: AgentTroubles,
    private readonly reminders: AgentReminders,
  ) {}

  @Put(':agentId')
  @RequireScope('agents')
  async register(
    @Param('agentId') agentId: string,
    @JsonBody() body: unknown,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const id = readText(agentId, 'agentId');
    const answer = await this.registrar.register(caller.tenant, id, readAgentRequest(body), readWaitMs(prefer));
    return sendAnswer(response, answer);
  }

  @Get()
  @RequireScope('read', 'agents')
  async list(@Query() query: Record<string, unknown>, @CurrentCaller() caller: Caller): Promise<unknown> {
    const { cursor, limit } = readPage(query);
    const { agents, next } = await this.directory.list(caller.tenant, cursor, limit);
    return { items: await this.shown(caller.tenant, agents), ...(next !== undefined && { next }) };
  }

  @Get(':agentId')
  @RequireScope('read', 'agents')
  async read(@Param('agentId') agentId: string, @CurrentCaller() caller: Caller): Promise<unknown> {
    const agent = await this.directory.view(caller.tenant, readText(agentId, 'agentId'));
    if (agent === undefined) throw agentUnknown(agentId);
    return (await this.shown(caller.tenant, [agent]))[0];
  }

  /**
   * Finds out whether the agent makes one task of a message that comes twice: it is sent a harmless one, twice. Answers
   * with how lapses are sent to it from here on.
   */
  @Post(':agentId/probe')
  @HttpCode(200)
  @RequireScope('agents')
  async probe(@Param('agentId') agentId: string, @CurrentCaller() caller: Caller): Promise<unknown> {
    const id = readText(agentId, 'agentId');
    return { agentId: id, dispatch: await this.prober.probe(caller.tenant, id) };
  }
  /** With how they are sent to, what they are reminded of, and what is wrong with them as they are called. */
  private async shown(tenant: string, agents: readonly AgentView[]): Promise<readonly unknown[]> {
    const reminded = await this.reminders.addTo(tenant, agents);
    return this.profiles.addTo(tenant, await this.troubles.addTo(tenant, reminded));
  }
}
