// The agent's own work as a test tells it: every task begins as WORKING, and goes on when the test says so.
import { type Artifact, type Message, type TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

interface Work {
  readonly contextId: string;
  readonly bus: ExecutionEventBus;
  readonly end: () => void;
}

export class ScriptedExecutor implements AgentExecutor {
  /** The messages that reached it, in order, each with the task that it made or is for. */
  readonly received: { readonly taskId: string; readonly contextId: string; readonly message: Message }[] = [];
  private readonly works = new Map<string, Work>();

  constructor(
    private readonly working: TaskState,
    private readonly ends: (state: TaskState) => boolean,
  ) {}

  execute = (context: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId, userMessage, task } = context;
    this.received.push({ taskId, contextId, message: userMessage });
    const status: TaskStatus = { state: this.working, message: undefined, timestamp: new Date().toISOString() };
    if (task === undefined) {
      bus.publish(
        AgentEvent.task({ id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: {} }),
      );
    } else bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    return new Promise((resolve) => this.works.set(taskId, { contextId, bus, end: resolve }));
  };

  cancelTask = (): Promise<void> => Promise.resolve();

  status(taskId: string, status: TaskStatus): void {
    const { contextId, bus, end } = this.workOf(taskId);
    bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    if (!this.ends(status.state)) return;
    bus.finished();
    end();
  }

  artifact(taskId: string, artifact: Artifact): void {
    const { contextId, bus } = this.workOf(taskId);
    const update = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
    bus.publish(AgentEvent.artifactUpdate(update));
  }

  private workOf(taskId: string): Work {
    const work = this.works.get(taskId);
    if (work === undefined) throw new Error(`nothing is being done of ${taskId}`);
    return work;
  }
}
