// `/v1/agents`: register, list, read.
import { Controller, Get, Headers, Param, Put, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AgentDirectory, type Caller, CurrentCaller, JsonBody, readText, RequireScope } from '#runtime';
import { readWaitMs, sendAnswer } from '#writes';
import { readAgentRequest } from './agent-request.ts';
import { readPage } from './page.ts';
import { agentUnknown, Registrar } from './registrar.ts';

@Controller('v1/agents')
export class AgentsController {
  constructor(
    private readonly registrar: Registrar,
    private readonly directory: AgentDirectory,
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
    return { items: agents, ...(next !== undefined && { next }) };
  }

  @Get(':agentId')
  @RequireScope('read', 'agents')
  async read(@Param('agentId') agentId: string, @CurrentCaller() caller: Caller): Promise<unknown> {
    const agent = await this.directory.view(caller.tenant, readText(agentId, 'agentId'));
    if (agent === undefined) throw agentUnknown(agentId);
    return agent;
  }
}
