// Self-timing on the SDK: every change of a task is seen where it is saved, clients' facts where their messages are worked on,
// and lapse tasks are made by the agent's own request handler.
import { SendMessageRequest, Task } from '@a2a-js/sdk';
import {
  type A2ARequestHandler,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
  ServerCallContext,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { EXTENSION_URI, isSubmittedBy, type LapseRequest } from '#protocol/pure';
import { findLapseTask } from './find-lapse-task.ts';
import type { LapseTasks, SelfTiming } from './self-timing.ts';

/** Saves as the store does, once what the task says has been taken in: the SDK saves every change of every task. */
export function timedStore(store: TaskStore, timing: Pick<SelfTiming, 'see'>): TaskStore {
  const told = new LatestTold();
  return {
    load: (taskId, context) => store.load(taskId, context),
    list: (params, context) => store.list(params, context),
    save: async (task, context) => {
      const { history: _, ...work } = Task.toJSON(task) as Record<string, unknown>;
      if (told.isNew(task.id, JSON.stringify(work))) {
        await timing.see({ task: work });
        told.remember(task.id, JSON.stringify(work));
      }
      await store.save(task, context);
    },
  };
}

/**
 * Takes in the facts of each message before it is worked on. `reporterOf` says who the client is, undefined for one whose facts
 * are not believed (§13.5).
 */
export function timedExecutor(
  executor: AgentExecutor,
  timing: Pick<SelfTiming, 'takeFacts'>,
  reporterOf: (request: RequestContext) => string | undefined,
): AgentExecutor {
  return {
    execute: async (request: RequestContext, bus: ExecutionEventBus) => {
      const reporter = reporterOf(request);
      if (reporter !== undefined) await timing.takeFacts(request.userMessage, reporter);
      await executor.execute(request, bus);
    },
    cancelTask: (taskId, bus) => executor.cancelTask(taskId, bus),
  };
}

/** Lapse tasks of the agent's own handler, as whoever the context says; nobody in particular unless given. */
export class OwnLapseTasks implements LapseTasks {
  constructor(
    private readonly handler: Pick<A2ARequestHandler, 'sendMessage' | 'listTasks'>,
    private readonly contextOf: (options: { requestedExtensions: string[] }) => ServerCallContext = (options) =>
      new ServerCallContext({ ...options, requestedVersion: '1.0' }),
  ) {}

  async submit(request: LapseRequest): Promise<string | undefined> {
    const answer = await this.handler.sendMessage(SendMessageRequest.fromJSON(request), this.context());
    return 'status' in answer ? answer.id : undefined;
  }

  /** Among the tasks of the lapse's context, by the message that made them. Rejects where there are too many to look through. */
  async find(request: LapseRequest): Promise<string | undefined> {
    const { contextId, metadata } = request.message;
    const where = { contextId, lapsedAt: metadata[EXTENSION_URI].lapse.lapsedAt };
    const found = await findLapseTask(this.handler, where, this.context(), (task) => isSubmittedBy(task, request));
    if (found === 'tooMany') throw new Error(`the context ${contextId} has more tasks than are looked through`);
    return found === 'none' ? undefined : found.id;
  }

  private context(): ServerCallContext {
    const context = this.contextOf({ requestedExtensions: [EXTENSION_URI] });
    context.addActivatedExtension(EXTENSION_URI);
    return context;
  }
}

/** What was told last of the tasks that changed last, so that a task that is saved as it was is not told again. */
class LatestTold {
  private readonly byTask = new Map<string, string>();

  isNew(taskId: string, work: string): boolean {
    return this.byTask.get(taskId) !== work;
  }

  remember(taskId: string, work: string): void {
    this.byTask.delete(taskId);
    this.byTask.set(taskId, work);
    const [oldest] = this.byTask.keys();
    if (this.byTask.size > 1_000 && oldest !== undefined) this.byTask.delete(oldest);
  }
}
