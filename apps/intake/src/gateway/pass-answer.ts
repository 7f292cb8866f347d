// An answer that is no stream: read whole, told to the log, then passed byte for byte.
import type { Response } from 'express';
import { GatheredBytes } from '#protocol';
import { fairTurns, parseJsonInTurns, Problem } from '#runtime';
import { unusableAnswer } from './agent-fault.ts';
import { readAnswer } from './answer.ts';
import type { AnswerWatch } from './answer-watch.ts';
import { type Exchange, isSend } from './exchange.ts';
import { forwardedAnswerHeaders } from './forwarded-headers.ts';
import type { GatewayShare } from './gateway-shares.ts';
import { endAtPace, type Pace } from './pace.ts';
import { sandbox } from './own-origin.ts';
import { abandon, chunksOf, type Upstream } from './upstream.ts';

export interface Passing {
  readonly exchange: Exchange;
  readonly upstream: Upstream;
  readonly watch: Pick<AnswerWatch, 'see'>;
  readonly response: Response;
  readonly pace: Pace;
  /** Of the exchange: what is kept of its answer is held by it. */
  readonly share: GatewayShare;
}

/** After these what became of the request is not known: a proxy before the agent may answer them for one that has taken it. */
const unsettled = new Set([408, 500, 502, 503, 504]);

/**
 * Whether the answer settles what became of the request. `rewrite` changes its JSON, where the gateway has to (a card).
 * Throws `AgentFault`, and as `AnswerWatch.see` and `holdAnswer`.
 */
export async function passAnswer(
  passing: Passing,
  answerBytes: number,
  rewrite?: (value: unknown) => unknown,
): Promise<boolean> {
  const { exchange, upstream, watch, response, pace } = passing;
  const { statusCode } = upstream;
  const { tenant } = exchange.agent;
  const bytes = await wholeBody(passing, answerBytes);
  const parsed = await parseJsonInTurns(bytes, () => fairTurns.next(tenant));
  if ('value' in parsed) await watch.see(readAnswer(parsed.value, exchange, statusCode));
  writeHead(response, upstream);
  const isRewritten = rewrite !== undefined && 'value' in parsed && statusCode === 200;
  if (isRewritten) for (const name of ['etag', 'digest', 'content-digest']) response.removeHeader(name);
  const passed = isRewritten ? Buffer.from(JSON.stringify(rewrite(parsed.value))) : bytes;
  if (passed.length > 0) response.setHeader('content-length', passed.length);
  await endAtPace(response, passed, pace);
  return !unsettled.has(statusCode) && ('value' in parsed || statusCode >= 300);
}

/** Status and headers as the agent has them, but for what they would do to the watcher's own pages. */
export function writeHead(response: Response, upstream: Upstream): void {
  response.status(upstream.statusCode);
  for (const [name, value] of forwardedAnswerHeaders(upstream.headers)) response.setHeader(name, value);
  sandbox(response);
}

/**
 * So many bytes of the answer are kept now. Throws `Problem` where that is too much: of what a message came to that it was
 * not recorded, and not that it may be sent again.
 */
export function holdAnswer({ exchange, share }: Pick<Passing, 'exchange' | 'share'>, bytes: number): void {
  try {
    share.hold(bytes);
  } catch (cause) {
    if (!(cause instanceof Problem) || !isSend(exchange)) throw cause;
    const detail = 'the agent has answered, and more is under way than is kept: the agent is asked again';
    throw new Problem('answer-unrecorded', detail, {}, { cause });
  }
}

async function wholeBody(passing: Passing, limit: number): Promise<Buffer> {
  const { upstream } = passing;
  const gathered = new GatheredBytes(limit);
  try {
    for await (const chunk of chunksOf(upstream)) {
      holdAnswer(passing, gathered.length + chunk.byteLength);
      if (!gathered.add(chunk)) throw unusableAnswer(`the agent’s answer is larger than ${limit} bytes`);
    }
  } catch (error) {
    abandon(upstream);
    throw error;
  }
  return gathered.take();
}
