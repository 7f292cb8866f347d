// What a fake agent does wrong, one switch each. Any of them may be changed while it runs.

/** Absent is as the A2A project's own server has it. */
export interface Misbehaviour {
  /** Answers a message id that it has seen with the task that it has made of it. No official server does. */
  dedupe?: boolean;
  /** Of so many sends from here on: does what it is asked, and cuts the connection. */
  dropAfterAccept?: number;
  /** Answers so many requests from here on with 503, and does nothing. */
  fail503?: number;
  /** Likewise with 429. */
  fail429?: number;
  /** Seconds that those answers ask to wait; without it they say nothing of it. */
  retryAfterSeconds?: number;
  /** Waits so long before it does anything. */
  slowMs?: number;
  /** Does what it is asked, and never answers. */
  hang?: boolean;
  /** Does what it is asked, and answers what nobody can read. */
  garbage?: boolean;
  /** Sends every caller there. */
  redirect?: string;
  /** Knows no context but those of its own tasks, and refuses the others with an A2A error. */
  refuseContext?: boolean;
  /** Does not say which extensions it has activated. */
  noEcho?: boolean;
  /** Answers what it would, with so many bytes of nothing before it. */
  hugeBytes?: number;
  /** Has no list of its tasks. */
  noList?: boolean;
}

/**
 * What happens to one request instead of an answer: an HTTP answer of its own; `lost`: the connection is cut before
 * the agent has read it; `cut`: after the agent has done it; `hung`: the agent does it and never answers; `garbage`: it
 * does it and answers what nobody can read; `padBytes`: so much comes before the answer.
 */
export type AgentFault =
  | 'lost'
  | 'cut'
  | 'hung'
  | 'garbage'
  | { readonly padBytes: number }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

/** What the next request meets; counts down what is counted. Undefined where it is answered as it should be. */
export function nextFault(misbehaviour: Misbehaviour, isSend: boolean): AgentFault | undefined {
  const { redirect, retryAfterSeconds, hugeBytes } = misbehaviour;
  if (redirect !== undefined) return { status: 307, headers: { location: redirect } };
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  if (countDown(misbehaviour, 'fail503')) return { status: 503, headers };
  if (countDown(misbehaviour, 'fail429')) return { status: 429, headers };
  if (isSend && countDown(misbehaviour, 'dropAfterAccept')) return 'cut';
  if (misbehaviour.hang === true) return 'hung';
  if (misbehaviour.garbage === true) return 'garbage';
  return hugeBytes === undefined ? undefined : { padBytes: hugeBytes };
}

function countDown(misbehaviour: Misbehaviour, name: 'dropAfterAccept' | 'fail503' | 'fail429'): boolean {
  const left = misbehaviour[name] ?? 0;
  if (left > 0) misbehaviour[name] = left - 1;
  return left > 0;
}
