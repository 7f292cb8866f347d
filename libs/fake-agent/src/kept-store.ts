// The fake agent's own store of tasks, which it can be asked for as a whole: what exists at the end is counted there.
import type { Task } from '@a2a-js/sdk';
import { InMemoryTaskStore, type ServerCallContext } from '@a2a-js/sdk/server';

/** One task that exists at the agent. */
export interface KeptTask {
  readonly taskId: string;
  readonly contextId: string;
  /** Of the messages in its history, in order. */
  readonly messageIds: readonly string[];
}

export class KeptStore extends InMemoryTaskStore {
  private readonly byId = new Map<string, KeptTask>();

  override async save(task: Task, context: ServerCallContext): Promise<void> {
    const { id: taskId, contextId } = task;
    this.byId.set(taskId, { taskId, contextId, messageIds: task.history.map(({ messageId }) => messageId) });
    await super.save(task, context);
  }

  /** In the order in which they were made. */
  get tasks(): readonly KeptTask[] {
    return [...this.byId.values()];
  }

  hasContext(contextId: string): boolean {
    return this.tasks.some((task) => task.contextId === contextId);
  }
}
