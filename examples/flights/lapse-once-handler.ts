// A watcher submits a lapse at least once, always under the same message id (§10.1). Here it becomes one task.
// Only lapses are deduplicated: A2A lets a client use a message id again for anything else.
import type { Message, SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk';
import { DefaultRequestHandler, type ServerCallContext } from '@a2a-js/sdk/server';
import { lapseIn } from './extension.ts';

export class LapseOnceHandler extends DefaultRequestHandler {
  private readonly answers = new Map<string, Promise<Message | Task>>();
  /** Told of the message id of each lapse that came again. */
  onRepeat: (messageId: string) => void = () => undefined;

  override async sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    const { message } = request;
    if (message === undefined || lapseIn(message.metadata) === undefined) return super.sendMessage(request, context);
    const earlier = this.answers.get(message.messageId);
    if (earlier !== undefined) {
      this.onRepeat(message.messageId);
      return earlier;
    }
    const answer = super.sendMessage(request, context);
    this.answers.set(message.messageId, answer);
    try {
      return await answer;
    } catch (error) {
      this.answers.delete(message.messageId);
      throw error;
    }
  }

  override async *sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    if (lapseIn(request.message?.metadata) === undefined) {
      yield* super.sendMessageStream(request, context);
      return;
    }
    const answer = await this.sendMessage(request, context);
    yield { payload: 'status' in answer ? { $case: 'task', value: answer } : { $case: 'message', value: answer } };
  }
}
