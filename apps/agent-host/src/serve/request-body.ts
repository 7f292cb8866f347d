// A request's body within the project's limits, before the SDK sees it: its own limit is 100 kB and answers with a page.
// What is not said to be JSON is not taken: a web page may send anything else to an agent without asking first.
import type { NextFunction, Request, Response } from 'express';
import { mediaTypeOf, parseJson, Problem, readBodyBytes } from '#runtime';
import type { AuthenticatedRequest } from './authentication.ts';
import { holderOf } from './holder.ts';
import { answerRestError, answerRpcError } from './wire/edge-answer.ts';
import { type EdgeRefusal, edgeErrorOf } from './wire/edge-error-map.ts';

/** Answers what cannot be read as HTTP+JSON does. Afterwards the body is read, and no parser reads it again. */
export async function readRestBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  const refused = await readInto(request, response, ['application/json', 'application/a2a+json']);
  if (refused === undefined) next();
  else answerRestError(request, response, edgeErrorOf(refused));
}

/** Answers what cannot be read as JSON-RPC does, without an id. */
export async function readRpcBody(request: Request, response: Response, next: NextFunction): Promise<void> {
  const refused = await readInto(request, response, ['application/json']);
  if (refused === undefined) next();
  else answerRpcError(request, response, edgeErrorOf(refused));
}

/** Each user has a share of what may be held, however many come by one proxy; where nobody is asked, each address. */
async function readInto(
  request: AuthenticatedRequest,
  response: Response,
  types: readonly string[],
): Promise<EdgeRefusal | undefined> {
  const { headers, method } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  try {
    // A page's own requests say where they come from; with a type that is taken they have been asked for.
    const isTyped = hasBody || headers.origin !== undefined;
    if (method === 'POST' && isTyped && !types.includes(mediaTypeOf(request))) {
      return { code: 'media-type', why: `the Content-Type must be ${types.join(' or ')}` };
    }
    if (!hasBody) return undefined;
    const bytes = await readBodyBytes(request, response, holderOf(request));
    if (bytes.byteLength === 0 || method !== 'POST') return undefined;
    const parsed = parseJson(bytes);
    if ('refused' in parsed)
      return { code: parsed.isTooLarge === true ? 'too-large' : 'not-json', why: parsed.refused };
    request.body = parsed.value;
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.type === 'tenant-overloaded') return { code: 'caller-overloaded', why: tooMuch };
    return { code: codes[error.type] ?? 'not-json', why: error.message };
  }
}

const tooMuch = 'you have too much under way: send it again, and less at once';

const codes: { readonly [type in Problem['type']]?: EdgeRefusal['code'] } = {
  'unsupported-media-type': 'media-type',
  'body-too-large': 'too-large',
  overloaded: 'overloaded',
};
