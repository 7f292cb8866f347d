// The gateway: a client's request to the agent and the agent's answer back, watched as they pass.
// It must never add a credential to a client's call, nor answer for the agent but to say why it does not pass something on.
import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger, type OnModuleDestroy, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { OUTBOUND, type Outbound } from '#outbound';
import { isObject } from '#protocol';
import { CLOCK, type Clock, isTenantName, Problem, readText, toProblem } from '#runtime';
import { activate } from './activation.ts';
import { AgentFault } from './agent-fault.ts';
import { AnswerWatch, WATCH_PORTS, type WatchPorts } from './answer-watch.ts';
import { ClientKey } from './client-key.ts';
import { EchoWatch } from './echo-watch.ts';
import { type Exchange, type GatewayCall, isSend } from './exchange.ts';
import { forwardedRequestHeaders, pairsOf, valuesOf } from './forwarded-headers.ts';
import { GatewayAgents } from './gateway-agents.ts';
import { GatewayBase } from './gateway-base.ts';
import { gatewayCard } from './gateway-card.ts';
import { type GatewayInterface, interfaceAt, isLegacy } from './gateway-interfaces.ts';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from './gateway-limits.ts';
import { type GatewayShare, GatewayShares } from './gateway-shares.ts';
import { type Operation, readOperation } from './operation.ts';
import { assertNoServiceWorker, sandbox } from './own-origin.ts';
import { passAnswer } from './pass-answer.ts';
import { passStream } from './pass-stream.ts';
import { GatewayReminders } from './reminders/gateway-reminders.ts';
import { type Dialect, refusalEvent, writeRefusal } from './refusal.ts';
import { readRequestBody } from './request-body.ts';
import { SendNotes } from './send-notes.ts';
import { targetOf } from './target.ts';
import { callAgent } from './upstream.ts';

const forwardedMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

@Injectable()
export class Gateway implements OnModuleDestroy {
  private readonly logger = new Logger(Gateway.name);
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly agents: GatewayAgents,
    private readonly clientKey: ClientKey,
    private readonly base: GatewayBase,
    private readonly notes: SendNotes,
    private readonly shares: GatewayShares,
    private readonly echoes: EchoWatch,
    private readonly reminders: GatewayReminders,
    @Inject(WATCH_PORTS) private readonly ports: WatchPorts,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Optional() @Inject(GATEWAY_LIMITS) private readonly limits: GatewayLimits = gatewayLimits,
  ) {
    setMaxListeners(0, this.stopping.signal);
  }

  /** What is still under way is cut; of a send whoever runs looks up what became of it. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.underWay);
  }

  /** Answers the call. Never rejects but for a bug. */
  async forward(call: GatewayCall): Promise<void> {
    const handling = this.handle(call);
    this.underWay.add(handling);
    try {
      await handling;
    } finally {
      this.underWay.delete(handling);
    }
  }

  private async handle(call: GatewayCall): Promise<void> {
    const dialect: { -readonly [Name in keyof Dialect]: Dialect[Name] } = { binding: call.binding, rpcId: null };
    const share = this.shares.of(call.tenant, call.agentId);
    sandbox(call.response);
    try {
      const read = await this.read(call, share, (operation) => (dialect.rpcId = operation.rpcId));
      if (await this.reminders.answers(read, dialect, call.response, this.stopping.signal)) return;
      const exchange = await this.reminders.onto(read);
      const number = await this.notes.begin(exchange);
      await this.exchange(call, exchange, { number, share });
    } catch (error) {
      this.refuse(call, error, dialect);
    } finally {
      // Whether or not the client is there still: a send goes on without it.
      share.free();
    }
  }

  /** Throws `Problem` where the call is none that may be forwarded. */
  private async read(
    call: GatewayCall,
    share: GatewayShare,
    onRead: (operation: Operation) => void,
  ): Promise<Exchange> {
    const { tenant, agentId, binding, version, request } = call;
    assertNoServiceWorker(request.headers);
    if (!isTenantName(tenant)) throw new Problem('agent-unknown', 'there is no such tenant');
    const { method } = request;
    const agent = await this.agents.find(tenant, readText(agentId, 'agentId'));
    share.take(0, 1);
    const via = interfaceAt(agent.interfaces, binding, version);
    if (via === undefined) throw new Problem('not-found', 'the agent’s card names no such interface: read it again');
    if (binding === 'jsonrpc' ? method !== 'POST' : !forwardedMethods.includes(method)) {
      throw new Problem('not-found', `the interface takes no ${method}`);
    }
    const { below, query } = placeOf(request);
    const target = targetOf(via.url, binding === 'rest' ? below : '', query);
    const sent = forwardedRequestHeaders(pairsOf(request.rawHeaders));
    const client = await this.clientKey.read(request.headers, tenant);
    const body = await readRequestBody(request, share);
    const operation = await readOperation({ tenant, binding, method, below, body });
    onRead(operation);
    const { headers, isActivated } = activate(
      sent,
      agent.extensionUri,
      speaksLegacy(via, valuesOf(sent, 'a2a-version')),
    );
    return { agent, via, operation, client, method, target, headers, body, isActivated };
  }

  /** From here on the agent may have the request: its note is ended once what it says is in the log, else left open. */
  private async exchange(call: GatewayCall, exchange: Exchange, taken: Taken): Promise<void> {
    const { sends } = this.ports;
    const { number } = taken;
    const ended = this.endOf(call, exchange);
    try {
      const isSettled = await this.pass(call, exchange, taken, ended);
      if (number !== undefined && isSettled) sends.end(number, 'answered');
      else if (number !== undefined) void sends.leave(number);
    } catch (error) {
      const isUnsent = error instanceof AgentFault && error.isUnsent;
      if (number !== undefined && isUnsent) sends.end(number, 'unsent');
      else if (number !== undefined) void sends.leave(number);
      throw error;
    } finally {
      ended.forget();
    }
  }

  /** A client that goes away ends what it listens to; a send goes on to its end, so that what comes of it is watched. */
  private endOf({ response }: GatewayCall, { operation }: Exchange): End {
    const ended = new AbortController();
    const end = (): void => ended.abort();
    const endIfUnheard = (): void => {
      if (operation.kind !== 'send' && !response.writableFinished) end();
    };
    this.stopping.signal.addEventListener('abort', end);
    response.once('close', endIfUnheard);
    if (this.stopping.signal.aborted) end();
    if (response.destroyed) endIfUnheard();
    const goOn = (): void => void response.off('close', endIfUnheard);
    const forget = (): void => {
      this.stopping.signal.removeEventListener('abort', end);
      goOn();
    };
    return { signal: ended.signal, goOn, forget };
  }

  /** Whether the answer is whole, and settles what became of the request. */
  private async pass(
    { response, request }: GatewayCall,
    exchange: Exchange,
    { number, share }: Taken,
    { signal, goOn }: End,
  ): Promise<boolean> {
    const { agent, via, operation } = exchange;
    const asking = this.ports.sightings.ask();
    const upstream = await callAgent(this.outbound.as().dispatcher, exchange, this.limits, signal);
    this.ports.metrics.answered(via, operation.kind, upstream.statusCode);
    this.echoes.see(exchange, upstream);
    const watch = this.reminders.watching(new AnswerWatch(this.ports, exchange, number, asking), exchange);
    // Whoever sends a message and reads nothing of what comes of it does not keep that from being watched.
    const onCut = (): void => (isSend(exchange) ? goOn() : undefined);
    const pace = { clock: this.clock, drainMs: this.limits.drainMs, onCut };
    const passing = { exchange, upstream, watch, response, pace, share };
    if (isEventStream(upstream.headers['content-type'])) return passStream(passing, this.limits.eventBytes);
    if (operation.kind !== 'card') return passAnswer(passing, this.limits.answerBytes);
    const base = this.base.of(request.headers, agent.tenant, agent.agentId);
    if (this.base.isDerived) upstream.headers['cache-control'] = 'private, no-store';
    return passAnswer(passing, this.limits.answerBytes, (value) => withGatewayCard(value, via, agent.interfaces, base));
  }

  private refuse({ response }: GatewayCall, error: unknown, dialect: Dialect): void {
    // Whoever has gone is told nothing.
    if (response.destroyed) {
      if (!(error instanceof AgentFault) && !(error instanceof Problem)) this.logger.error(error);
      return;
    }
    const problem = error instanceof AgentFault ? error.problem : toProblem(error);
    this.ports.metrics.refused(problem.type);
    if (problem.type === 'internal') this.logger.error(error);
    else if (problem.cause instanceof Error) this.logger.warn(`${problem.type}: ${problem.cause.message}`);
    const isStream = response.headersSent && isEventStream(response.getHeader('content-type'));
    // A stream that its agent broke off breaks off here too; one that is not passed on says so.
    if (isStream && !(error instanceof AgentFault && error.problem.type === 'agent-unreachable')) {
      response.end(refusalEvent(problem, dialect));
    } else writeRefusal(response, problem, dialect);
  }
}

/** What an exchange has: the number of its note, where it brings a message, and its share of what is under way. */
interface Taken {
  readonly number: string | undefined;
  readonly share: GatewayShare;
}

/** When an exchange is to end before the agent ends it. */
interface End {
  readonly signal: AbortSignal;
  /** Goes on though the client is not there any more. */
  readonly goOn: () => void;
  readonly forget: () => void;
}

/** The raw path under `/a2a/{tenant}/{agentId}/{binding}/{version}`, and the raw query. */
function placeOf({ originalUrl, path }: Pick<Request, 'originalUrl' | 'path'>): { below: string; query: string } {
  const below = path.split('/').slice(6);
  const at = originalUrl.indexOf('?');
  return { below: below.length === 0 ? '' : `/${below.join('/')}`, query: at === -1 ? '' : originalUrl.slice(at + 1) };
}

function speaksLegacy(via: GatewayInterface, version: readonly string[]): boolean {
  return isLegacy(via) || version.some((each) => each.startsWith('0.'));
}

function isEventStream(type: unknown): boolean {
  return typeof type === 'string' && /^\s*text\/event-stream\b/i.test(type);
}

/** The extended card names the agent's own interfaces: a client that took them would go past the gateway. */
function withGatewayCard(
  value: unknown,
  { binding }: GatewayInterface,
  interfaces: readonly GatewayInterface[],
  base: string,
): unknown {
  if (binding === 'rest') return gatewayCard(value, interfaces, base);
  if (!isObject(value) || !isObject(value['result'])) return value;
  return { ...value, result: gatewayCard(value['result'], interfaces, base) };
}
