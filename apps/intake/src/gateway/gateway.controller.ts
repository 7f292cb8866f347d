// `/a2a/{tenant}/{agentId}`: an agent's own A2A surface. The client's credential is the agent's, which the agent checks; the
// tenant is the path's.
import { createHash } from 'node:crypto';
import { All, Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isTenantName, Problem, Public, readText } from '#runtime';
import { Gateway } from './gateway.ts';
import { GatewayAgents } from './gateway-agents.ts';
import { GatewayBase } from './gateway-base.ts';
import { gatewayCard } from './gateway-card.ts';
import { gatewayInterfaces } from './gateway-interfaces.ts';
import { assertNoServiceWorker, sandbox } from './own-origin.ts';
import { withKeptReminders } from './reminders/kept-capability.ts';

/** For so long a client may go on with a card that it has. */
const cardSeconds = 300;

@Controller('a2a/:tenant/:agentId')
@Public()
export class GatewayController {
  constructor(
    private readonly gateway: Gateway,
    private readonly agents: GatewayAgents,
    private readonly base: GatewayBase,
  ) {}

  /**
   * The agent's card with its interfaces at the gateway, for clients of A2A 1.0 and 0.3. 404 (`agent-unknown`) where the
   * agent is not registered; 304 where the client has it.
   */
  @Get(['.well-known/agent-card.json', '.well-known/agent.json'])
  async card(
    @Param('tenant') tenant: string,
    @Param('agentId') agentId: string,
    @Headers('if-none-match') known: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    sandbox(response);
    assertNoServiceWorker(request.headers);
    if (!isTenantName(tenant)) throw new Problem('agent-unknown', 'there is no such tenant');
    const card = await this.agents.card(tenant, readText(agentId, 'agentId'));
    const placed = gatewayCard(card, gatewayInterfaces(card), this.base.of(request.headers, tenant, agentId));
    const text = JSON.stringify(withKeptReminders(placed));
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    const caching = this.base.isDerived ? 'private, no-store' : `public, max-age=${cardSeconds}`;
    response.set({ 'Cache-Control': caching, ETag: etag });
    if (known !== undefined && known.split(',').some((each) => each.trim() === etag)) response.status(304).end();
    else response.type('application/json').send(text);
  }

  /** JSON-RPC: a POST to the interface itself, with or without a slash at its end. */
  @All('jsonrpc/:version')
  async rpc(
    @Param('tenant') tenant: string,
    @Param('agentId') agentId: string,
    @Param('version') version: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.gateway.forward({ tenant, agentId, binding: 'jsonrpc', version, request, response });
  }

  /** HTTP+JSON: every method and path under the interface. */
  @All(['rest/:version', 'rest/:version/*below'])
  async rest(
    @Param('tenant') tenant: string,
    @Param('agentId') agentId: string,
    @Param('version') version: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.gateway.forward({ tenant, agentId, binding: 'rest', version, request, response });
  }
}
