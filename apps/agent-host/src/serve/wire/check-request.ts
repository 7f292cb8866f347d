// Looks at a request before the SDK's codec reads it, which takes whatever comes. Where the version is none of the mount's the
// SDK says so.
import type { RequestHandler } from 'express';
import type { ProtocolVersion, ServedInterface } from '../../card/interfaces.ts';
import { askedVersion } from './asked-version.ts';
import { answerRestError, answerRpcError } from './edge-answer.ts';
import { type EdgeRefusal, edgeErrorOf } from './edge-error-map.ts';
import type { ShapeFault } from './json-shape.ts';
import { isMembers, type Members } from '../../card/members.ts';
import { withoutNulls } from './without-nulls.ts';
import { restShapes, rpcShapes } from './request-table.ts';

export function checkRpcRequest(interfaces: readonly ServedInterface[]): RequestHandler {
  const versions = versionsOf(interfaces);
  return (request, response, next) => {
    const version = askedVersion(request);
    const served = versions.find(is(version));
    if (isMembers(request.body)) request.body = asCodecsRead(request.body, served);
    const refusal = request.method === 'POST' ? refuseRpc(request.body, served) : undefined;
    if (refusal === undefined) next();
    else answerRpcError(request, response, edgeErrorOf(refusal));
  };
}

/** 0.3 has its operations below `v1`: what is elsewhere is none of its. */
export function checkRestRequest(interfaces: readonly ServedInterface[]): RequestHandler {
  const versions = versionsOf(interfaces);
  return (request, response, next) => {
    const version = versions.find(is(askedVersion(request)));
    if (version === undefined) {
      next();
      return;
    }
    if (version === '0.3' && !/^\/v1\//i.test(request.path)) {
      next('router');
      return;
    }
    const { method, path, query } = request;
    if (version === '0.3' && method === 'POST' && isPushConfigs.test(path)) request.body = unwrapped(request.body);
    const read = restShapes[version].find((each) => each.method === method && each.path.test(path));
    const fault = read?.body?.(request.body, '') ?? read?.query?.(query, '');
    if (fault === undefined) next();
    else answerRestError(request, response, edgeErrorOf(toRefusal(fault)));
  };
}

const isPushConfigs = /\/pushNotificationConfigs\/?$/i;

/** A config of 0.3 comes by itself, as its schema has it, or as the `config` of a request (0.3, 7.5), as some clients have it. */
function unwrapped(body: unknown): unknown {
  return isMembers(body) && isMembers(body['config']) ? body['config'] : body;
}

/** Parameters that may be left out, which the SDK wants all the same, and nulls, which its 0.3 takes for something. */
function asCodecsRead(body: Members, version: ProtocolVersion | undefined): Members {
  if (version === '0.3') return { ...body, params: withoutNulls(body['params']) };
  return body['method'] === 'ListTasks' ? { ...body, params: body['params'] ?? {} } : body;
}

function refuseRpc(body: unknown, version: ProtocolVersion | undefined): EdgeRefusal | undefined {
  if (body === undefined) return { code: 'not-json', why: 'the body is empty' };
  const why = isMembers(body) ? whyNoRequest(body) : 'the body must be one object: batches are not taken';
  if (why !== undefined || !isMembers(body)) return { code: 'no-request', why: why ?? '' };
  if (version === undefined) return undefined;
  const fault = rpcShapes[version].get(body['method'] as string)?.(body['params'], '');
  return fault && toRefusal(fault);
}

function whyNoRequest({ jsonrpc, id, method }: Members): string | undefined {
  if (jsonrpc !== '2.0') return 'jsonrpc must be "2.0"';
  const isId = id === undefined || id === null || typeof id === 'string' || Number.isInteger(id);
  if (!isId) return 'id must be a text or a whole number';
  return typeof method === 'string' && method !== '' ? undefined : 'method must be a text';
}

function toRefusal({ field, why }: ShapeFault): EdgeRefusal {
  return { code: 'malformed', field, why };
}

function versionsOf(interfaces: readonly ServedInterface[]): readonly ProtocolVersion[] {
  return interfaces.map(({ version }) => version);
}

const is =
  (wanted: ProtocolVersion | undefined) =>
  (version: ProtocolVersion): boolean =>
    version === wanted;
