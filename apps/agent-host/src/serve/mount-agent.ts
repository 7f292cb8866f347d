// Mounts the agent: the card, and each interface that it claims at its URL's path, on the SDK's own transports.
import { AGENT_CARD_PATH, type AgentCard, AgentInterface } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import {
  defaultServerCallContextBuilder,
  type ServerCallContext,
  type ServerCallContextBuilder,
  type ServerCallContextBuilderOptions,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler } from '@a2a-js/sdk/server/express';
import type { LoggerService } from '@nestjs/common';
import { type Request, type RequestHandler, Router } from 'express';
import type { Clock } from '#runtime';
import type { CompiledCard } from '../card/compile-card.ts';
import type { Binding, ServedInterface } from '../card/interfaces.ts';
import type { authentication, AuthenticatedRequest } from './authentication.ts';
import { HostCaller } from './caller.ts';
import { cardRoute } from './card-route.ts';
import { drained } from './drained.ts';
import { holderOf } from './holder.ts';
import type { InjectOperation } from './inject-operation.ts';
import { restInjectRoute, rpcInjectRoute } from './inject-route.ts';
import type { HostOperations } from './host-operations.ts';
import { HostRequestHandler } from './host-request-handler.ts';
import { documentRoute } from './json-document.ts';
import { keepAlive } from './keep-alive.ts';
import type { PushOperations } from './push-operations.ts';
import { asMember, tellingOf } from './reminder-stream.ts';
import { readRestBody, readRpcBody } from './request-body.ts';
import { answerOtherwise } from './wire/answer-otherwise.ts';
import { nameVersion } from './wire/asked-version.ts';
import { checkRestRequest, checkRpcRequest } from './wire/check-request.ts';
import { answerRestError, answerRpcError } from './wire/edge-answer.ts';
import type { EdgeRefusal } from './wire/edge-error-map.ts';
import { sayFinal } from './wire/final-status.ts';
import { ownHost } from './wire/own-host.ts';

export interface MountOptions {
  readonly compiled: CompiledCard;
  readonly operations: HostOperations;
  readonly push: PushOperations;
  readonly authenticate: ReturnType<typeof authentication>;
  readonly inject: InjectOperation;
  /** Absent: no work is queued, and nobody outside is waited for. */
  readonly waits?: RequestHandler;
  readonly log: LoggerService;
  readonly clock: Clock;
  /** How long a stream may be still. */
  readonly stillMs: number;
  /** The handler's, for everybody, by their path. */
  readonly documents: Readonly<Record<string, object>>;
}

/** What of Express is used: a path and what handles it. */
export interface Mountable {
  use(path: string, ...handlers: RequestHandler[]): unknown;
}

/** Of a caller who asks for one task, however often it sends its message. */
const onceHeader = 'idempotency-key';
const isOnceKey = /^[\x21-\x7e]{1,255}$/;

export function mountAgent(app: Mountable, options: MountOptions): void {
  const { compiled, authenticate, inject, log } = options;
  const alive = keepAlive(options.clock, options.stillMs);
  const emit = asMember(compiled.reminders);
  const has03 = compiled.interfaces.some(({ version }) => version === '0.3');
  app.use(`/${AGENT_CARD_PATH}`, nameVersion, cardRoute(compiled.card, has03, compiled.reminders));
  for (const [path, document] of Object.entries(options.documents)) app.use(path, documentRoute(document));
  for (const [path, interfaces] of byPath(compiled.interfaces)) {
    // Where both bindings are at one path, JSON-RPC is what is posted to the path itself.
    const rpc = interfaces.filter(({ binding }) => binding === 'JSONRPC');
    const rest = interfaces.filter(({ binding }) => binding === 'HTTP+JSON');
    const place = path === '' ? '/' : path;
    if (options.waits !== undefined) app.use(place, options.waits);
    if (rpc.length > 0) {
      const handle = jsonRpcHandler(transportOptions(options, rpc));
      const take = rpcInjectRoute({ operation: inject, interfaces: rpc, log });
      const host = ownHosts(compiled, answerRpcError);
      const before = [nameVersion, ...host, authenticate, readRpcBody, checkRpcRequest(rpc)];
      app.use(place, atItself(inOrder(...before, take, emit, sayFinal, alive, handle)));
    }
    if (rest.length > 0) {
      const handle = restHandler(transportOptions(options, rest));
      const take = restInjectRoute({ operation: inject, interfaces: rest, log });
      const host = ownHosts(compiled, answerRestError);
      const before = [nameVersion, ...host, authenticate, readRestBody, checkRestRequest(rest)];
      app.use(place, beside(inOrder(...before, take, emit, sayFinal, alive, handle)));
    }
  }
}

/** Who lets a request past what is mounted here leaves all of it (`next('router')`). */
function inOrder(...handlers: RequestHandler[]): RequestHandler {
  return Router().use(...handlers);
}

/** Of an agent that asks nobody who they are. */
function ownHosts({ card, security }: CompiledCard, answer: Parameters<typeof ownHost>[1]): RequestHandler[] {
  const { alternatives } = security;
  const isOpen = alternatives.length === 0 || alternatives.some((schemes) => schemes.length === 0);
  const names = new Set(card.supportedInterfaces.map(({ url }) => new URL(url).hostname));
  return isOpen ? [ownHost(names, answer)] : [];
}

function byPath(interfaces: readonly ServedInterface[]): Map<string, ServedInterface[]> {
  const paths = new Map<string, ServedInterface[]>();
  for (const served of interfaces) paths.set(served.path, [...(paths.get(served.path) ?? []), served]);
  // The longest first: a path below another is not the other's.
  return new Map([...paths].sort(([a], [b]) => b.length - a.length));
}

function transportOptions({ compiled, operations, push, log }: MountOptions, interfaces: readonly ServedInterface[]) {
  const card = cardOf(compiled.card, interfaces);
  const tenants = interfaces.map(({ tenant }) => tenant).filter((tenant) => tenant !== '');
  const uris = (compiled.card.capabilities?.extensions ?? []).map(({ uri }) => uri);
  return {
    requestHandler: new HostRequestHandler({ card, tenants, operations, push, log }),
    userBuilder: async (request: Request) => toCaller(request, compiled.reminders),
    contextBuilder: activating(uris),
    legacyCompat: { enabled: interfaces.some(({ version }) => version === '0.3') },
  };
}

/** By its interfaces the SDK knows which versions are taken here. */
function cardOf(card: AgentCard, interfaces: readonly ServedInterface[]): AgentCard {
  const supportedInterfaces = interfaces.map(({ binding, version }: { binding: Binding; version: string }) =>
    AgentInterface.fromJSON({ protocolBinding: binding, protocolVersion: version }),
  );
  return { ...card, supportedInterfaces };
}

/** Activated before the request is handled: the SDK sends a stream's headers before an operation begins. */
function activating(uris: readonly string[]): ServerCallContextBuilder {
  return (options: ServerCallContextBuilderOptions): ServerCallContext => {
    const extensions = options.extensions?.filter((uri) => uris.includes(uri));
    const context = defaultServerCallContextBuilder({ ...options, extensions });
    for (const uri of extensions ?? []) context.addActivatedExtension(uri);
    return context;
  };
}

function toCaller(request: AuthenticatedRequest, declared: CompiledCard['reminders']): HostCaller {
  const gone = new AbortController();
  const { res: response } = request;
  response?.once('close', () => gone.abort());
  const drains = async (): Promise<void> => (response === undefined ? undefined : drained(response));
  const once = request.header(onceHeader);
  if (once !== undefined && !isOnceKey.test(once)) {
    throw new RequestMalformedError('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  const telling = tellingOf(request, declared);
  const otherwise = (refusal: EdgeRefusal): void =>
    response === undefined ? undefined : answerOtherwise(response, refusal);
  return new HostCaller(request.hostUser ?? '', gone.signal, drains, once, telling, holderOf(request), otherwise);
}

function atItself(handle: RequestHandler): RequestHandler {
  return (request, response, next) => (request.path === '/' ? handle(request, response, next) : next());
}

function beside(handle: RequestHandler): RequestHandler {
  return (request, response, next) => (request.path === '/' ? next() : handle(request, response, next));
}
