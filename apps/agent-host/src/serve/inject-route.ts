// InjectTaskReminder on the wire, before the SDK's transports: in JSON-RPC by its name, in HTTP+JSON by its path, of 1.0 and
// of 0.3. It lets pass whatever is not an inject.
import { RequestMalformedError, toJsonRpcError, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { LoggerService } from '@nestjs/common';
import type { RequestHandler } from 'express';
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
import { toldFault } from './told-fault.ts';
import { askedVersion } from './wire/asked-version.ts';
import { answerRestError, answerRestFault, answerRpcError, writeRest } from './wire/edge-answer.ts';
import type { EdgeError } from './wire/edge-error-map.ts';
import { isMembers } from '../card/members.ts';

export interface InjectRouteOptions {
  readonly operation: InjectOperation;
  /** Those of the mount, of one binding. */
  readonly interfaces: readonly ServedInterface[];
  readonly log: LoggerService;
}

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
    const params: unknown = body['params'];
    try {
      const answer = await inject(options, request, params, isMembers(params) ? params['tenant'] : undefined);
      if ('refusal' in answer) answerRpcError(request, response, toEdgeError(answer.refusal));
      else response.json({ jsonrpc: '2.0', id: body['id'] ?? null, result: answer });
    } catch (error) {
      response.json({ jsonrpc: '2.0', id: body['id'] ?? null, error: toJsonRpcError(toldFault(error, options.log)) });
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
    const body: unknown = request.body;
    const params = isMembers(body) ? { ...body, taskId: asked.taskId, task_id: undefined } : body;
    try {
      const answer = await inject(options, request, params, asked.tenant);
      if ('refusal' in answer) answerRestError(request, response, toEdgeError(answer.refusal));
      else writeRest(request, response, 200, answer);
    } catch (error) {
      answerRestFault(request, response, toldFault(error, options.log));
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
  const version = askedVersion(request);
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

function toEdgeError(refusal: Refusal): EdgeError {
  const { field } = refusal;
  return { ...wireErrorOf(refusal), ...(field !== undefined && { field }) };
}
