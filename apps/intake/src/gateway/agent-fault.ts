// What a failed call to an agent is to the client, and whether the agent can have seen the request. In doubt it can.
import { isNeverSent } from '#outbound';
import { Problem } from '#runtime';

/** The agent did not answer as it must. */
export class AgentFault extends Error {
  override readonly name = 'AgentFault';
  readonly retryable = true;
  readonly problem: Problem;
  /** Nothing of the request can have reached the agent. */
  readonly isUnsent: boolean;

  constructor(problem: Problem, isUnsent: boolean) {
    super(problem.message, { cause: problem.cause });
    this.problem = problem;
    this.isUnsent = isUnsent;
  }
}

/** The fault behind what undici has thrown. It names no address: the client has the agent's name for it. */
export function agentFault(cause: unknown): AgentFault {
  const unsent = isNeverSent(cause);
  const code = codeOf(cause);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    const detail = 'the agent has not answered in time; what became of the request is not known';
    return new AgentFault(new Problem('agent-timeout', detail, {}, { cause }), false);
  }
  const detail = unsent
    ? 'no connection to the agent could be made, and nothing was sent to it'
    : 'the connection to the agent broke before its answer was whole; what became of the request is not known';
  return new AgentFault(new Problem('agent-unreachable', detail, {}, { cause }), unsent);
}

/** An answer that is not passed on, and why; the request has reached the agent. */
export function unusableAnswer(detail: string, cause?: unknown): AgentFault {
  return new AgentFault(new Problem('agent-answer-unusable', detail, {}, { cause }), false);
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
