// The lapses this agent has been told of, in order of arrival; kept in memory, as long as the process lives.
import type { Message } from '@a2a-js/sdk';
import type { Lapse } from './extension.ts';

export interface ReceivedLapse {
  readonly messageId: string;
  readonly contextId: string;
  readonly referenceTaskIds: readonly string[];
  readonly text: string;
  readonly lapse: Lapse;
  readonly receivedAt: string;
  /** The task that answered for it. */
  readonly taskId: string;
  /** How often the message came; the task was made once. */
  readonly receivedCount: number;
}

export class LapseRecord {
  private readonly received = new Map<string, ReceivedLapse>();

  add(message: Message, lapse: Lapse, taskId: string, receivedAt: string): void {
    this.received.set(message.messageId, {
      messageId: message.messageId,
      contextId: message.contextId,
      referenceTaskIds: message.referenceTaskIds,
      text: message.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n'),
      lapse,
      receivedAt,
      taskId,
      receivedCount: 1,
    });
  }

  /** The same message came again. */
  repeat(messageId: string): void {
    const lapse = this.received.get(messageId);
    if (lapse !== undefined) this.received.set(messageId, { ...lapse, receivedCount: lapse.receivedCount + 1 });
  }

  list(): ReceivedLapse[] {
    return [...this.received.values()];
  }
}
