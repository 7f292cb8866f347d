// How the gateway says no by itself, as the binding has it: problem+json, or a JSON-RPC error with the request's id.
import { problemBody, problemErrorMap, type Problem } from '#runtime';
import type { Response } from 'express';
import type { Binding } from './gateway-interfaces.ts';

/** How a refusal is written. */
export interface Dialect {
  readonly binding: Binding;
  readonly rpcId: string | number | null;
}

const invalidRequest = -32600;
const internalError = -32603;

/** Answers with the problem. Where the answer has begun, its connection is cut instead. */
export function writeRefusal(response: Response, problem: Problem, dialect: Dialect): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status } = problemErrorMap[problem.type];
  if (problem.type === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Duewatch-Key');
  if (status === 429 || status === 503) response.setHeader('Retry-After', '1');
  response.status(status).type(dialect.binding === 'rest' ? 'application/problem+json' : 'application/json');
  response.send(refusalText(problem, dialect));
}

/** The same as the last event of a stream. */
export function refusalEvent(problem: Problem, dialect: Dialect): string {
  return `event: error\ndata: ${refusalText(problem, dialect)}\n\n`;
}

function refusalText(problem: Problem, { binding, rpcId }: Dialect): string {
  const body = problemBody(problem);
  if (binding === 'rest') return JSON.stringify(body);
  const { status, title } = problemErrorMap[problem.type];
  const reason = problem.type.toUpperCase().replaceAll('-', '_');
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'duewatch', metadata: {} };
  const code = status >= 500 ? internalError : invalidRequest;
  const error = { code, message: `${title}: ${problem.message}`, data: [info] };
  return JSON.stringify({ jsonrpc: '2.0', id: rpcId, error });
}
