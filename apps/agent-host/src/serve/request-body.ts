// A request's body within the project's limits, before the SDK sees it: its own limit is 100 kB and answers with a page.
import type { NextFunction, Request, Response } from 'express';
import { RequestMalformedError, toRestErrorBody } from '@a2a-js/sdk/errors';
import { parseJson, Problem, readBodyBytes } from '#runtime';
import type { AuthenticatedRequest } from './authentication.ts';
import { holderOf } from './holder.ts';

/** Answers what cannot be read as HTTP+JSON does. Afterwards the body is read, and no parser reads it again. */
export async function readRestBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  const refused = await readInto(request, response);
  if (refused === undefined) {
    next();
    return;
  }
  response.status(refused.status).json(toRestErrorBody(new RequestMalformedError(refused.why), refused.status));
}

/** Answers what cannot be read as JSON-RPC does: a parse error without an id. */
export async function readRpcBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  const refused = await readInto(request, response);
  if (refused === undefined) {
    next();
    return;
  }
  response.status(200).json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: refused.why } });
}

/** Each user has a share of what may be held, however many come by one proxy; where nobody is asked, each address. */
async function readInto(
  request: AuthenticatedRequest,
  response: Response,
): Promise<{ readonly status: number; readonly why: string } | undefined> {
  try {
    const bytes = await readBodyBytes(request, response, holderOf(request));
    if (bytes.byteLength === 0) return undefined;
    const parsed = parseJson(bytes);
    if ('refused' in parsed) return { status: parsed.isTooLarge === true ? 413 : 400, why: parsed.refused };
    request.body = parsed.value;
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      status: error.type === 'body-too-large' ? 413 : error.type === 'overloaded' ? 503 : 400,
      why: error.message,
    };
  }
}
