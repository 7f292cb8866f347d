// InjectTaskReminder on the wire, before the SDK's transports: in JSON-RPC by its name, in HTTP+JSON by its path, of 1.0 and
// of 0.3. It lets pass whatever is not an inject.
import {
  A2AError,
  RequestMalformedError,
  restStatusFor,
  toJsonRpcError,
  toRestErrorBody,
  VersionNotSupportedError,
} from '@a2a-js/sdk/errors';
import type { LoggerService } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import {
  activatesReminders,
  INJECT_METHOD,
  type InjectAnswer,
  type Refusal,
  REMINDERS_URI,
  wireErrorOf,
} from '#reminders';
import type { ServedInterface } from '../card/interfaces.ts';
import type { AuthenticatedRequest } from './authentication.ts';
import type { InjectOperation } from './inject-operation.ts';
import { extensionsOf } from './reminder-stream.ts';

export interface InjectRouteOptions {
  readonly operation: InjectOperation;
  /** Those of the mount, of one binding. */
  readonly interfaces: readonly ServedInterface[];
  readonly log: LoggerService;
}

type Members = Readonly<Record<string, unknown>>;
type Version = '1.0' | '0.3';

/** Errors by HTTP's status as google.rpc has them. */
const statusNames: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [404, 'NOT_FOUND'],
]);

export function rpcInjectRoute(options: InjectRouteOptions): RequestHandler {
  return async (request: AuthenticatedRequest, response, next) => {
    const body: unknown = request.body;
    if (
      request.method !== 'POST' ||
      !isMembers(body) ||
      body['jsonrpc'] !== '2.0' ||
      body['method'] !== INJECT_METHOD
    ) {
      next();
      return;
    }
    const { id } = body;
    const envelope = { jsonrpc: '2.0', id: typeof id === 'string' || typeof id === 'number' ? id : null };
    const params: unknown = body['params'];
    try {
      const answer = await inject(options, request, params, isMembers(params) ? params['tenant'] : undefined);
      response.json({
        ...envelope,
        ...('refusal' in answer ? { error: toRpcError(answer.refusal) } : { result: answer }),
      });
    } catch (error) {
      response.json({ ...envelope, error: toJsonRpcError(told(error, options.log)) });
    }
  };
}

export function restInjectRoute(options: InjectRouteOptions): RequestHandler {
  return async (request: AuthenticatedRequest, response, next) => {
    const asked = request.method === 'POST' ? readPath(request.path) : undefined;
    if (asked === undefined) {
      next();
      return;
    }
    const version = versionOf(request);
    const body: unknown = request.body;
    const params = isMembers(body) ? { ...body, taskId: asked.taskId, task_id: undefined } : body;
    try {
      const answer = await inject(options, request, params, asked.tenant);
      if ('refusal' in answer) writeRefusal(response, answer.refusal, version);
      else write(response, 200, answer, version);
    } catch (error) {
      const shown = told(error, options.log);
      write(response, restStatusFor(shown), toRestErrorBody(shown, restStatusFor(shown)), version);
    }
  };
}

/** `/tasks/{id}:injectReminder`: below `v1` in 0.3, below the tenant that the card names in 1.0. */
function readPath(path: string): { readonly taskId: string; readonly tenant: string } | undefined {
  const [, before = '', id = ''] = /^(?:\/([^/]+))?\/tasks\/([^/]+)(?::|%3A)injectReminder\/?$/i.exec(path) ?? [];
  if (id === '') return undefined;
  try {
    return { taskId: decodeURIComponent(id), tenant: before === 'v1' ? '' : decodeURIComponent(before) };
  } catch {
    return undefined;
  }
}

async function inject(
  { operation, interfaces }: InjectRouteOptions,
  request: AuthenticatedRequest,
  params: unknown,
  tenant: unknown,
): Promise<InjectAnswer | { readonly refusal: Refusal }> {
  const version = versionOf(request);
  if (!interfaces.some((served) => served.version === version)) {
    throw new VersionNotSupportedError('the agent is not served in this version of A2A here');
  }
  const named = tenant ?? '';
  if (named !== '' && !interfaces.some((served) => served.tenant === named)) {
    throw new RequestMalformedError('the card names no such tenant');
  }
  const extensions = extensionsOf(request);
  if (operation.isExtension && activatesReminders(extensions)) {
    request.res?.set(version === '0.3' ? 'X-A2A-Extensions' : 'A2A-Extensions', REMINDERS_URI);
  }
  return operation.inject(params, { userName: request.hostUser ?? '', extensions });
}

/** Undefined where it is none that there is. Clients of 0.3 name none. */
function versionOf(request: Request): Version | undefined {
  const [, version] = /^\s*(1\.0|0\.3)(?:\.\d+)?\s*$/.exec(request.header('A2A-Version') ?? '0.3') ?? [];
  return version as Version | undefined;
}

function detailsOf({ field, message, ...refusal }: Refusal): readonly object[] {
  const { reason } = wireErrorOf({ message, ...refusal });
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' };
  const fieldViolations = [{ field, description: message }];
  return [
    ...(reason === undefined ? [] : [info]),
    ...(field === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]),
  ];
}

function toRpcError(refusal: Refusal): object {
  const { code, message } = wireErrorOf(refusal);
  return { code, message, data: detailsOf(refusal) };
}

function writeRefusal(response: Response, refusal: Refusal, version: Version | undefined): void {
  const { httpStatus, message } = wireErrorOf(refusal);
  // 0.3 writes errors of HTTP+JSON as JSON-RPC does.
  const status = statusNames.get(httpStatus) ?? 'UNKNOWN';
  const error = { code: httpStatus, status, message, details: detailsOf(refusal) };
  write(response, httpStatus, version === '0.3' ? toRpcError(refusal) : { error }, version);
}

function write(response: Response, status: number, body: object, version: Version | undefined): void {
  response
    .status(status)
    .type(version === '0.3' ? 'application/json' : 'application/a2a+json')
    .send(JSON.stringify(body));
}

function told(error: unknown, log: LoggerService): A2AError {
  if (error instanceof A2AError) return error;
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error), 'AgentHost');
  return new A2AError({ message: 'the agent host could not do it', cause: error });
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
