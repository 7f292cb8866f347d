// Writes what a request that reaches no operation is answered, as its binding and version have errors.
import { type A2AError, restStatusFor, toJsonRpcError, toRestErrorBody } from '@a2a-js/sdk/errors';
import type { Request, Response } from 'express';
import { unavailable, UnavailableError } from '../told-fault.ts';
import { isMembers } from '../../card/members.ts';
import { type EdgeError, edgeErrorOf, statusNames } from './edge-error-map.ts';
import { askedVersion } from './asked-version.ts';

export function answerRpcError(request: Request, response: Response, error: EdgeError): void {
  const body: unknown = request.body;
  const id = isMembers(body) ? body['id'] : null;
  const isId = typeof id === 'string' || Number.isInteger(id);
  sayWhen(response, error);
  response.status(error.isHttp === true ? error.httpStatus : 200);
  response.json({ jsonrpc: '2.0', id: isId ? id : null, error: toRpcError(error) });
}

export function answerRestError(request: Request, response: Response, error: EdgeError): void {
  const { httpStatus, message } = error;
  sayWhen(response, error);
  if (askedVersion(request) === '0.3') {
    // 0.3 writes errors of HTTP+JSON as JSON-RPC does.
    writeRest(request, response, httpStatus, toRpcError(error));
    return;
  }
  const status = statusNames.get(httpStatus) ?? 'UNKNOWN';
  writeRest(request, response, httpStatus, { error: { code: httpStatus, status, message, details: detailsOf(error) } });
}

/** The SDK's error of an operation that is none of the SDK's. */
export function answerRestFault(request: Request, response: Response, fault: A2AError): void {
  if (fault instanceof UnavailableError) {
    answerRestError(request, response, edgeErrorOf(unavailable));
    return;
  }
  const status = restStatusFor(fault);
  const { code, message } = toJsonRpcError(fault);
  writeRest(
    request,
    response,
    status,
    askedVersion(request) === '0.3' ? { code, message } : toRestErrorBody(fault, status),
  );
}

export function writeRest(request: Request, response: Response, status: number, body: object): void {
  const type = askedVersion(request) === '0.3' ? 'application/json' : 'application/a2a+json';
  response.status(status).type(type).send(JSON.stringify(body));
}

export function toRpcError(error: EdgeError): object {
  const { code, message } = error;
  return { code, message, data: detailsOf(error) };
}

function detailsOf({ field, message, reason }: EdgeError): readonly object[] {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' };
  const fieldViolations = [{ field, description: message }];
  return [
    ...(reason === undefined ? [] : [info]),
    ...(field === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }]),
  ];
}

function sayWhen(response: Response, { retryAfterSeconds }: EdgeError): void {
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
}
