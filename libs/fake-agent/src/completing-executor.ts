// The agent behind the fake agent: it keeps what it was sent, and completes every task.
import { type Message, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

export class CompletingExecutor implements AgentExecutor {
  private readonly received: Message[];

  constructor(received: Message[]) {
    this.received = received;
  }

  execute = async (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage } = context;
    this.received.push(userMessage);
    const status = { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: undefined };
    bus.publish(
      AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: {} }),
    );
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    bus.finished();
    return Promise.resolve();
  };

  cancelTask = (): Promise<void> => Promise.resolve();
}
