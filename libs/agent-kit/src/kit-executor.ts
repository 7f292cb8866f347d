// An executor for the SDK, made of what the agent does and of who answers for its lapses.
import { type Message, TaskState, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import { formatInstant, isTerminal, type LapseKind } from '#expectations';
import { EXTENSION_URI } from '#protocol/pure';
import { isActivated } from './activation.ts';
import { type Answer, answeredTask, type Eventually, updatesTo, workingTask } from './answer.ts';
import type { Clock } from './clock.ts';
import type { Lapse } from './lapse.ts';
import { LapseRouter, type WhichLapses } from './lapse-router.ts';
import { answerOf } from './routed-answer.ts';
import type { Expectations } from './expectations.ts';
import type { TaskBlock } from './task-block.ts';
import { TasksUnderWay } from './tasks-under-way.ts';

/** What the agent does with a message that is no lapse. */
export type Work<Kind extends string> = (
  task: TaskBlock<Kind>,
  message: Message,
  request: RequestContext,
) => Eventually<Answer>;

/** What it does with a lapse, in a task of the lapse's own. */
export type LapseWork<Kind extends string> = (
  lapse: Lapse,
  task: TaskBlock<Kind>,
  request: RequestContext,
) => Eventually<Answer>;

/** What a task says of a request to the SDK; activates the extension where the client asked for it. */
export function taskOf<Kind extends string>(
  expectations: Expectations<Kind>,
  { taskId, contextId, userMessage, context }: RequestContext,
): TaskBlock<Kind> {
  const isAsked = isActivated(context);
  if (isAsked) context.addActivatedExtension(EXTENSION_URI);
  return expectations.inTask({ taskId, contextId, messageId: userMessage.messageId, isActivated: isAsked });
}

export class KitExecutor<Kind extends string> implements AgentExecutor {
  private readonly lapses: LapseRouter<[TaskBlock<Kind>, RequestContext], Eventually<Answer>>;
  private readonly underWay = new TasksUnderWay();

  /** `overdue` answers for every lapse that `onLapse` leads to nobody else. */
  constructor(
    private readonly expectations: Expectations<Kind>,
    private readonly work: Work<Kind>,
    overdue: LapseWork<Kind>,
    private readonly clock: Clock,
  ) {
    this.lapses = new LapseRouter(overdue);
  }

  onLapse(which: LapseKind | WhichLapses, handler: LapseWork<Kind>): this {
    this.lapses.onLapse(which, handler);
    return this;
  }

  /**
   * What is answered at once is one event; what takes time is a task that works until then, and may be canceled. A lapse
   * that is malformed is rejected, in its task. Rejects where the work does: the SDK then fails the task.
   */
  readonly execute = async (request: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const { taskId, contextId } = request;
    const block = taskOf(this.expectations, request);
    const work = this.underWay.begin(taskId, contextId);
    const { answer, tookTime } = await this.working(request, block, bus).catch((error: unknown) => {
      this.underWay.end(taskId);
      throw error;
    });
    // What was canceled meanwhile stays so.
    if (work.isCanceled) return;
    const task = answeredTask(request, answer, block, this.clock.now());
    if (isTerminal(TaskState[task.status?.state ?? 0] ?? null)) this.underWay.end(taskId);
    for (const event of tookTime ? updatesTo(task) : [AgentEvent.task(task)]) bus.publish(event);
    bus.finished();
  };

  /** Cancels what waits for an answer, or is at work: what that comes to is not told any more. */
  readonly cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    const contextId = this.underWay.cancel(taskId);
    const status = { state: 'TASK_STATE_CANCELED', timestamp: formatInstant(this.clock.now()) };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status })));
    bus.finished();
  };

  /** Says that the task works where its answer is not there at once. */
  private async working(
    request: RequestContext,
    block: TaskBlock<Kind>,
    bus: ExecutionEventBus,
  ): Promise<{ readonly answer: Answer; readonly tookTime: boolean }> {
    const eventual = this.answerTo(request, block);
    const tookTime = eventual instanceof Promise;
    if (tookTime) bus.publish(AgentEvent.task(workingTask(request, this.clock.now())));
    return { answer: await eventual, tookTime };
  }

  private answerTo(request: RequestContext, block: TaskBlock<Kind>): Eventually<Answer> {
    const routed = this.lapses.route(request.userMessage, block, request);
    return answerOf(routed, () => this.work(block, request.userMessage, request));
  }
}
