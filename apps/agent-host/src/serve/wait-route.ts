// `POST {base}/waits/{token}`: somebody outside ends what a task waits for. The token is all that it needs; it may be no
// caller of the agent's. It must never let anybody guess one, nor tell whose task it is.
import type { LoggerService } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Json } from '#agent-handler';
import { parseJson, Problem, problemBody, problemErrorMap, readBodyBytes, toProblem } from '#runtime';
import { hashToken } from '../run/turn-wait.ts';
import type { EndedWait, WorkQueue } from '../work/work-queue.ts';

export interface WaitRouteOptions {
  readonly application: string;
  readonly work: Pick<WorkQueue, 'endWait'>;
  readonly log: LoggerService;
}

const mostResultBytes = 1_000_000;
/** Any other path is the agent's: `waits` may be a tenant that its card names. */
const isWait = /^\/waits\/(dw_[A-Za-z0-9_-]{1,256})\/?$/;

/** Lets pass whatever is not about a wait. */
export function waitRoute({ application, work, log }: WaitRouteOptions): RequestHandler {
  return async (request, response, next) => {
    const [, token] = isWait.exec(request.path) ?? [];
    if (token === undefined) {
      next();
      return;
    }
    if (request.method !== 'POST') {
      response.status(405).set('Allow', 'POST').end();
      return;
    }
    try {
      const result = await readResult(request, response);
      response.json({ outcome: outcomeOf(await work.endWait(application, hashToken(token), result)) });
    } catch (error) {
      refuse(response, error, log);
    }
  };
}

/** Null where the body is empty. */
async function readResult(request: Request, response: Response): Promise<Json> {
  const bytes = await readBodyBytes(request, response, `address ${request.socket.remoteAddress ?? ''}`);
  if (bytes.byteLength === 0) return null;
  if (bytes.byteLength > mostResultBytes) throw new Problem('body-too-large', 'a result may have at most 1 MB');
  const parsed = parseJson(bytes);
  if ('refused' in parsed) {
    throw new Problem(parsed.isTooLarge === true ? 'body-too-large' : 'malformed-body', parsed.refused);
  }
  return parsed.value as Json;
}

function outcomeOf(ended: EndedWait): 'ended' | 'repeated' {
  if (ended === 'unknown') throw new Problem('not-found', 'nobody has waited for this, or it is long ago');
  if (ended === 'over') throw new Problem('wait-over', 'the task is over, or goes on without it');
  return ended;
}

function refuse(response: Response, error: unknown, log: LoggerService): void {
  const problem = toProblem(error);
  const { status } = problemErrorMap[problem.type];
  if (status >= 500) log.error(error instanceof Error ? (error.stack ?? error.message) : String(error), 'AgentHost');
  if (status === 503) response.set('Retry-After', '1');
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify(problemBody(problem)));
}
