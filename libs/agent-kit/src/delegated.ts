// A turn of an agent host, done by another agent: composed of a lazy client and of the turn.
import type { RemoteAgent } from './remote-agent.ts';
import type { RemoteAnswer } from './remote-answer.ts';
import type { ServedTurn } from './served-turn.ts';

export type DelegatingTurn = Pick<ServedTurn, 'ask' | 'signal'> & {
  readonly message: Pick<ServedTurn['message'], 'parts'>;
  readonly session: ServedTurn['session'];
};

/**
 * Sends what the caller has said to the other agent, in a context of the same id, and waits for what it comes to. What the
 * other asks is asked of the caller, whose answer goes to the other's task; where the turn's task is canceled, so is the
 * other's. Rejects with a `RemoteAgentError`, and where the turn is over.
 */
export async function delegated(turn: DelegatingTurn, to: RemoteAgent): Promise<RemoteAnswer> {
  const { signal, message, session } = turn;
  let answer = await to.delegate(message.parts, { contextId: session.contextId, signal });
  while (answer.taskId !== undefined && answer.state === 'TASK_STATE_INPUT_REQUIRED') {
    const { taskId, contextId } = answer;
    const reply = await asked(turn, to, taskId, answer.text);
    answer = await to.delegate(reply.parts, { taskId, contextId, signal });
  }
  return answer;
}

/** A question that nobody answers any more is not left at the other agent. */
async function asked(
  turn: DelegatingTurn,
  to: RemoteAgent,
  taskId: string,
  question: string,
): Promise<{ readonly parts: readonly object[] }> {
  try {
    return await turn.ask(question);
  } catch (error) {
    await to.cancel(taskId);
    throw error;
  }
}
