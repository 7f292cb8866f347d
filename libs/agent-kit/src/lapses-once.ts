// A watcher submits a lapse at least once, always under one message id (Expectations §10.1); the SDK makes a task of each
// message. Here a lapse that comes again gets the task that it has. Only lapses: A2A lets anybody use a message id again.
import { GetTaskRequest, type Message, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { findLapseTask } from './find-lapse-task.ts';
import { type Lapse, readLapse } from './lapse.ts';

/** So many of the latest are known without a look at the tasks. */
const mostKnown = 1_000;

/**
 * The handler, with each lapse answered once: by memory, and after a restart by the tasks of its context that have changed
 * since it lapsed. Where more than 5,000 have, it is answered once more: better twice than not at all.
 */
export function lapsesOnce<Handler extends A2ARequestHandler>(handler: Handler): Handler {
  const once = new LapsesOnce(handler);
  return new Proxy(handler, {
    get(target, name) {
      if (name === 'sendMessage') return once.sendMessage;
      if (name === 'sendMessageStream') return once.sendMessageStream;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

class LapsesOnce {
  private readonly answers = new Map<string, Promise<Message | Task>>();

  constructor(private readonly handler: A2ARequestHandler) {}

  readonly sendMessage: A2ARequestHandler['sendMessage'] = (request, context) => {
    const lapse = lapseOf(request);
    if (lapse === undefined) return this.handler.sendMessage(request, context);
    const key = JSON.stringify([context.tenant, context.user?.userName, lapse.messageId]);
    const answer = this.answers.get(key) ?? this.first(request, lapse, context);
    this.answers.delete(key);
    this.answers.set(key, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > mostKnown && oldest !== undefined) this.answers.delete(oldest);
    // What failed may be tried again.
    answer.catch(() => this.answers.delete(key));
    return answer;
  };

  readonly sendMessageStream: A2ARequestHandler['sendMessageStream'] = (request, context) =>
    lapseOf(request) === undefined ? this.handler.sendMessageStream(request, context) : this.streamed(request, context);

  private async *streamed(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): ReturnType<A2ARequestHandler['sendMessageStream']> {
    const answer = await this.sendMessage(request, context);
    yield { payload: 'status' in answer ? { $case: 'task', value: answer } : { $case: 'message', value: answer } };
  }

  private async first(request: SendMessageRequest, lapse: Lapse, context: ServerCallContext): Promise<Message | Task> {
    const { contextId, messageId } = lapse;
    const isIt = ({ history }: Task): boolean => history.some((message) => message.messageId === messageId);
    const found = contextId === '' ? 'none' : await findLapseTask(this.handler, lapse, context, isIt);
    return typeof found === 'string'
      ? this.handler.sendMessage(request, context)
      : this.handler.getTask(GetTaskRequest.fromJSON({ id: found.id }), context);
  }
}

/** One that is malformed is rejected, however often. */
function lapseOf({ message }: SendMessageRequest): Lapse | undefined {
  const read = message && readLapse(message);
  return read !== undefined && 'lapse' in read ? read.lapse : undefined;
}
