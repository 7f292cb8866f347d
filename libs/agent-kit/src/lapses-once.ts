// A watcher submits a lapse at least once, always under one message id (Expectations §10.1); the SDK makes a task of each
// message. Here a lapse that comes again gets the task that it has. Only lapses: A2A lets anybody use a message id again.
import { ListTasksRequest, type Message, type SendMessageRequest, type Task } from '@a2a-js/sdk';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { readLapse } from './lapse.ts';

/** So many of the latest are known without a look at the tasks. */
const mostKnown = 1_000;
const pageSize = 100;
const mostPages = 50;

/** The handler, with each lapse answered once: by memory, and after a restart by the tasks of its context. */
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
    const { message } = request;
    if (message === undefined || readLapse(message) === undefined) return this.handler.sendMessage(request, context);
    const key = JSON.stringify([context.tenant, context.user?.userName, message.messageId]);
    const answer = this.answers.get(key) ?? this.first(request, message, context);
    this.answers.delete(key);
    this.answers.set(key, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > mostKnown && oldest !== undefined) this.answers.delete(oldest);
    // What failed may be tried again.
    answer.catch(() => this.answers.delete(key));
    return answer;
  };

  readonly sendMessageStream: A2ARequestHandler['sendMessageStream'] = (request, context) =>
    request.message === undefined || readLapse(request.message) === undefined
      ? this.handler.sendMessageStream(request, context)
      : this.streamed(request, context);

  private async *streamed(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): ReturnType<A2ARequestHandler['sendMessageStream']> {
    const answer = await this.sendMessage(request, context);
    yield { payload: 'status' in answer ? { $case: 'task', value: answer } : { $case: 'message', value: answer } };
  }

  private async first(
    request: SendMessageRequest,
    message: Message,
    context: ServerCallContext,
  ): Promise<Message | Task> {
    return (await this.find(message, context)) ?? this.handler.sendMessage(request, context);
  }

  private async find({ messageId, contextId }: Message, context: ServerCallContext): Promise<Task | undefined> {
    let pageToken = '';
    for (let page = 0; page < mostPages && contextId !== ''; page += 1) {
      const asked = ListTasksRequest.fromJSON({ contextId, pageSize, pageToken, includeArtifacts: true });
      const { tasks, nextPageToken } = await this.handler.listTasks(asked, context);
      const found = tasks.find(({ history }) => history.some((message) => message.messageId === messageId));
      if (found !== undefined || nextPageToken === '') return found;
      pageToken = nextPageToken;
    }
    return undefined;
  }
}
