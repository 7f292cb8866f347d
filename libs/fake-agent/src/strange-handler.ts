// The A2A project's own request handler, with what a strange agent does otherwise: no HTTP here.
import type { AgentCard, ListTasksRequest, ListTasksResponse, Message, SendMessageRequest, Task } from '@a2a-js/sdk';
import { JsonRpcRequestMalformedError, JsonRpcUnsupportedOperationError } from '@a2a-js/sdk/errors';
import { type AgentExecutor, DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import type { KeptStore } from './kept-store.ts';
import type { Misbehaviour } from './misbehaviour.ts';

export class StrangeHandler extends DefaultRequestHandler {
  private readonly answers = new Map<string, Promise<Message | Task>>();

  constructor(
    card: AgentCard,
    private readonly store: KeptStore,
    executor: AgentExecutor,
    private readonly misbehaviour: Misbehaviour,
  ) {
    super(card, store, executor);
  }

  override sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const { messageId, contextId } = request.message ?? { messageId: '', contextId: '' };
    if (this.misbehaviour.refuseContext === true && contextId !== '' && !this.store.hasContext(contextId)) {
      return Promise.reject(new JsonRpcRequestMalformedError({ message: `there is no context ${contextId}` }));
    }
    // What failed may be sent again.
    const earlier = this.misbehaviour.dedupe === true ? this.answers.get(messageId) : undefined;
    if (earlier !== undefined) return earlier;
    const answer = super.sendMessage(request, context);
    this.answers.set(messageId, answer);
    answer.catch(() => this.answers.delete(messageId));
    return answer;
  }

  override listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    if (this.misbehaviour.noList !== true) return super.listTasks(request, context);
    return Promise.reject(new JsonRpcUnsupportedOperationError({ message: 'there is no ListTasks' }));
  }
}
