// Whether an agent makes one task of a message that comes twice, found out by sending it one, twice.
// It must never be done unasked: what is sent is harmless, and it is a task at the agent all the same.
import { GetTaskRequest, SendMessageRequest } from '@a2a-js/sdk';
import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import type { AgentCalls } from './agent-calls.ts';
import { activated, connect } from './connect.ts';
import { Exchange } from './exchange.ts';
import type { AgentTarget } from './messenger.ts';
import { failedOutcome } from './send-error-map.ts';
import { withinTime } from './within-time.ts';

/** `unknown`: it could not be found out, for the cause given. */
export type DedupeFinding =
  { readonly dedupes: 'yes' | 'no' } | { readonly dedupes: 'unknown'; readonly cause: string };

export interface DedupeProbeOptions {
  /** Through which it is called. */
  readonly calls: AgentCalls;
  /** Names the message and its context; another each time. */
  readonly probeId: string;
  /** Of each request and its answer; 10 s unless given. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;
const text =
  'Duewatch asks whether you make one task of a message that comes twice: this one comes twice. Nothing is to be done.';

/** Never throws for what an agent or a network does. */
export async function probeDedupe(target: AgentTarget, options: DedupeProbeOptions): Promise<DedupeFinding> {
  const exchange = new Exchange(options.calls, target);
  const client = await connect(target, exchange);
  if (client === undefined) return unknown('the card offers no JSONRPC or HTTP+JSON interface over http(s)');
  try {
    return await probe(client, options);
  } catch (error) {
    return unknown(failedOutcome(error, exchange, 0).cause);
  }
}

async function probe(client: Client, { probeId, timeoutMs = defaultTimeoutMs }: DedupeProbeOptions) {
  const ask = <T>(call: (options: RequestOptions) => Promise<T>): Promise<T> =>
    withinTime(timeoutMs, undefined, (signal) => call({ signal, serviceParameters: activated() }));
  const message = { role: 'ROLE_USER', messageId: probeId, contextId: probeId, parts: [{ text }] };
  const send = async (): Promise<string | undefined> => {
    const request = SendMessageRequest.fromJSON({ message, configuration: { returnImmediately: true } });
    const answer = await ask((options) => client.sendMessage(request, options));
    return 'messageId' in answer ? undefined : answer.id;
  };
  const [first, second] = [await send(), await send()];
  if (first === undefined || second === undefined) return unknown('it answered with a message: no task tells');
  if (first !== second) return { dedupes: 'no' } as const;
  const task = await ask((options) => client.getTask(GetTaskRequest.fromJSON({ id: first }), options));
  const takenCount = task.history.filter(({ messageId }) => messageId === probeId).length;
  // One task of two messages may have done both.
  if (takenCount === 0) return unknown('its task does not show what it has taken');
  return { dedupes: takenCount === 1 ? 'yes' : 'no' } as const;
}

function unknown(cause: string): DedupeFinding {
  return { dedupes: 'unknown', cause };
}
