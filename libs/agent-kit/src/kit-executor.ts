// An executor for the SDK, made of what the agent does and of who answers for its lapses.
import type { Message } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';
import type { LapseKind } from '#expectations';
import { EXTENSION_URI } from '#protocol/pure';
import { isActivated } from './activation.ts';
import { type Answer, answeredTask } from './answer.ts';
import type { Clock } from './clock.ts';
import type { Lapse } from './lapse.ts';
import { LapseRouter, type WhichLapses } from './lapse-router.ts';
import type { Expectations } from './expectations.ts';
import type { TaskBlock } from './task-block.ts';

type Eventually<Value> = Value | Promise<Value>;

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

  /** A lapse that is malformed is rejected, in its task. Rejects where the work does: the SDK then fails the task. */
  readonly execute = async (request: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const block = taskOf(this.expectations, request);
    const answer = await this.answerTo(request, block);
    bus.publish(AgentEvent.task(answeredTask(request, answer, block, this.clock.now())));
    bus.finished();
  };

  /** Whatever is at work ends by itself, and its end counts. */
  readonly cancelTask = async (): Promise<void> => undefined;

  private async answerTo(request: RequestContext, block: TaskBlock<Kind>): Promise<Answer> {
    const routed = this.lapses.route(request.userMessage, block, request);
    if ('answer' in routed) return await routed.answer;
    if ('malformed' in routed) return { reject: `This lapse cannot be answered for: ${routed.malformed}.` };
    return await this.work(block, request.userMessage, request);
  }
}
