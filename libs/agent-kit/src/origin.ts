// Ends the task that raised what lapsed, where the lapse means that it can no longer complete (Expectations §10.2): with a
// status message that names the expectation, on the record.
import { TaskState, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  type ExecutionEventBusManager,
  ResultManager,
  type ServerCallContext,
  type TaskStore,
} from '@a2a-js/sdk/server';
import { formatInstant, isTerminal } from '#expectations';
import { type Clock, systemClock } from './clock.ts';
import type { Lapse } from './lapse.ts';

export type OriginState = 'TASK_STATE_CANCELED' | 'TASK_STATE_FAILED';

/** A status update in A2A's JSON. */
export interface OriginStatus {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: {
    readonly state: OriginState;
    readonly timestamp: string;
    readonly message: {
      readonly messageId: string;
      readonly taskId: string;
      readonly contextId: string;
      readonly role: 'ROLE_AGENT';
      readonly parts: readonly [{ readonly text: string }];
    };
  };
}

/** What became of it: moved, as the lapse asked; already over; or not to be seen by this caller. */
export type OriginOutcome = 'moved' | 'over' | 'unknown';

/** What the origin task's callers are told. */
export function originTextOf({ expectationId, expects, told, dueAt }: Lapse, why: string): string {
  return `${why} (${expects}, due at ${dueAt}, is ${told}: expectation ${expectationId})`;
}

/** The status update that ends the origin task. The same lapse gives the same message id. */
export function originStatusOf(lapse: Lapse, state: OriginState, why: string, nowMs: number): OriginStatus {
  const { originTaskId: taskId, contextId } = lapse;
  const text = originTextOf(lapse, why);
  const message = {
    messageId: `${lapse.messageId}:origin`,
    taskId,
    contextId,
    role: 'ROLE_AGENT',
    parts: [{ text }],
  } as const;
  return { taskId, contextId, status: { state, timestamp: formatInstant(nowMs), message } };
}

export interface OriginTasksOptions {
  /** With it, whoever is subscribed to the origin task is told. */
  readonly buses?: ExecutionEventBusManager;
  readonly clock?: Clock;
}

/** Origin tasks in a store of the SDK's. */
export class OriginTasks {
  private readonly clock: Clock;

  constructor(
    private readonly tasks: TaskStore,
    private readonly options: OriginTasksOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
  }

  /**
   * Fails the origin task, and says why. The context says who acts: the lapse's own, whose authority is the watcher's
   * (§13.1), sees what the watcher may see. Rejects where the store does.
   */
  failOrigin(lapse: Lapse, why: string, context: ServerCallContext): Promise<OriginOutcome> {
    return this.move(originStatusOf(lapse, 'TASK_STATE_FAILED', why, this.clock.now()), context);
  }

  /** Likewise cancels it. */
  cancelOrigin(lapse: Lapse, why: string, context: ServerCallContext): Promise<OriginOutcome> {
    return this.move(originStatusOf(lapse, 'TASK_STATE_CANCELED', why, this.clock.now()), context);
  }

  private async move(origin: OriginStatus, context: ServerCallContext): Promise<OriginOutcome> {
    const { taskId } = origin;
    const task = taskId === '' ? undefined : await this.tasks.load(taskId, context);
    if (task === undefined) return 'unknown';
    if (isTerminal(TaskState[task.status?.state ?? 0] ?? null)) return 'over';
    const event = AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(origin));
    // The SDK's own way to change a task: under its lock, and never after a terminal state.
    await new ResultManager(this.tasks, context).processEvent(event);
    const now = await this.tasks.load(taskId, context);
    if (TaskState[now?.status?.state ?? 0] !== origin.status.state) return 'over';
    this.options.buses?.getByTaskId(taskId, context)?.publish(event);
    return 'moved';
  }
}
