// What a run of the ledger means to the watcher's own reminders: which expectations of agents that asked are told of, and when.
// Pure. It decides nothing: what is due, and what has lapsed, is in the ledger.
import { type ExpectationRecorded, isTerminal, type LapseBlock, parseInstant, type Subject } from '#expectations';
import type { ReminderWish } from '#runtime';
import type { Told } from '../ledger-follower.ts';
import { expectationKeyOf, taskKeyOf } from '../outbox/lapse-key.ts';
import { toldExpects, type ToldExpectation, toldLapse, toldSubject } from './own-reminder.ts';

/** An expectation of a task that is not known to be over. */
export interface Opened {
  readonly tenant: string;
  readonly expectationKey: string;
  readonly taskKey: string;
  /** In full: pauses are by it, as by the subject. */
  readonly kind: string;
  readonly subject: Subject;
  readonly expectation: ToldExpectation;
  readonly dueAtMs: number;
  readonly projectedDueAtMs: number;
  /** Undefined where it is not told that it is due soon. */
  readonly tellAtMs: number | undefined;
}

/** When it is due has changed. */
export interface Moved {
  readonly expectationKey: string;
  /** Undefined: the projected due time counts. */
  readonly dueAtMs: number | undefined;
  /** Undefined: nothing is told of that, for now or at all. */
  readonly beforeDueMs: number | undefined;
  readonly atMs: number;
}

export interface LapsedOrigin {
  readonly expectationKey: string;
  readonly lapse: LapseBlock;
  /** The agent is told. */
  readonly isTold: boolean;
}

/** Applied in this order. */
export interface ReminderPlan {
  readonly closed: readonly string[];
  readonly overTasks: readonly string[];
  readonly opened: readonly Opened[];
  readonly moved: readonly Moved[];
  readonly lapsed: readonly LapsedOrigin[];
}

export interface PlanPorts {
  /** Undefined of an agent that never asked. */
  readonly wishOf: (tenant: string, agentId: string) => ReminderWish | undefined;
  /** By its key, from what was read before. */
  readonly isKnownOver: (taskKey: string) => boolean;
}

/** What is recorded has these, checked by the core. */
interface RaisedContent {
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
}

type OfExpectation = { readonly agentId: string; readonly expectationId: string };

/** Whether an event may mean something here, and of which agent. */
export function agentConcerned({ event }: Told): string | undefined {
  switch (event.type) {
    case 'expectationRecorded':
    case 'expectationSuspended':
    case 'expectationReleased':
    case 'expectationReanchored':
    case 'expectationSatisfied':
    case 'expectationWithdrawn':
    case 'expectationLapsed':
      return event.agentId;
    case 'statusApplied':
      return isTerminal(event.state) ? event.agentId : undefined;
    default:
      return undefined;
  }
}

export function planOf(told: readonly Told[], ports: PlanPorts): ReminderPlan {
  const plan = new GrowingPlan(ports);
  for (const each of told) {
    const agentId = agentConcerned(each);
    const wish = agentId === undefined ? undefined : ports.wishOf(each.tenant, agentId);
    if (wish !== undefined) plan.take(each, wish);
  }
  return plan.whole;
}

export function isEmpty({ closed, overTasks, opened, moved, lapsed }: ReminderPlan): boolean {
  return [closed, overTasks, opened, moved, lapsed].every(({ length }) => length === 0);
}

class GrowingPlan {
  private readonly closed = new Set<string>();
  private readonly overTasks = new Set<string>();
  private readonly opened = new Map<string, Opened>();
  private readonly moved = new Map<string, Moved>();
  private lapsed: LapsedOrigin[] = [];

  constructor(private readonly ports: PlanPorts) {}

  get whole(): ReminderPlan {
    return {
      ...{ closed: [...this.closed], overTasks: [...this.overTasks] },
      ...{ opened: [...this.opened.values()], moved: [...this.moved.values()], lapsed: this.lapsed },
    };
  }

  take({ tenant, event, offset, eventIndex }: Told, wish: ReminderWish): void {
    const keyOf = ({ agentId, expectationId }: OfExpectation) => expectationKeyOf(tenant, agentId, expectationId);
    const { beforeDueMs } = wish;
    switch (event.type) {
      case 'expectationRecorded':
        return this.open(tenant, event, [offset, eventIndex], wish);
      case 'expectationSuspended':
        return this.move(keyOf(event), { dueAtMs: undefined, beforeDueMs: undefined, atMs: parseInstant(event.at) });
      case 'expectationReleased':
        return this.move(keyOf(event), { dueAtMs: undefined, beforeDueMs, atMs: parseInstant(event.at) });
      case 'expectationReanchored':
        return this.move(keyOf(event), {
          ...{ dueAtMs: parseInstant(event.dueAt), beforeDueMs, atMs: parseInstant(event.at) },
        });
      case 'expectationSatisfied':
      case 'expectationWithdrawn':
        return this.close(keyOf(event));
      case 'expectationLapsed':
        // Who keeps its own time knows that it has lapsed.
        this.lapsed.push({
          ...{ expectationKey: keyOf(event), lapse: toldLapse(event.lapse) },
          isTold: wish.lapsed && !event.selfTimed,
        });
        return;
      case 'statusApplied':
        return this.over(taskKeyOf(tenant, event.agentId, event.taskId));
      default:
    }
  }

  private open(
    tenant: string,
    event: ExpectationRecorded,
    recordedAt: ToldExpectation['recordedAt'],
    { beforeDueMs, lapsed }: ReminderWish,
  ): void {
    const { agentId, expectationId, taskId, content } = event;
    const taskKey = taskKeyOf(tenant, agentId, taskId);
    const isOver = this.overTasks.has(taskKey) || this.ports.isKnownOver(taskKey);
    // A question's task rests until it is answered: its next turn has the answer.
    if (isOver || event.question || (beforeDueMs === undefined && !lapsed)) return;
    const expectationKey = expectationKeyOf(tenant, agentId, expectationId);
    const { kind, subject, expects } = content as unknown as RaisedContent;
    const dueAtMs = parseInstant(event.dueAt);
    const tellAtMs = beforeDueMs === undefined ? undefined : dueAtMs - beforeDueMs;
    this.opened.set(expectationKey, {
      ...{ tenant, expectationKey, taskKey, kind, subject },
      expectation: {
        ...{ agentId, expectationId, taskId, recordedAt, subject: toldSubject(subject) },
        expects: toldExpects(expects),
      },
      ...{ dueAtMs, projectedDueAtMs: parseInstant(event.projectedDueAt) },
      // Raised with no more than the lead left, it is no news that it is due soon.
      tellAtMs: tellAtMs === undefined || tellAtMs <= parseInstant(event.at) ? undefined : tellAtMs,
    });
  }

  private move(expectationKey: string, move: Omit<Moved, 'expectationKey'>): void {
    const opened = this.opened.get(expectationKey);
    if (opened === undefined) {
      this.moved.set(expectationKey, { expectationKey, ...move });
      return;
    }
    const { beforeDueMs, atMs } = move;
    const dueAtMs = move.dueAtMs ?? opened.projectedDueAtMs;
    const tellAtMs = beforeDueMs === undefined || dueAtMs <= atMs ? undefined : dueAtMs - beforeDueMs;
    this.opened.set(expectationKey, { ...opened, dueAtMs, tellAtMs });
  }

  /** What was to be told of it before, in this run or in an earlier one, is not told any more. */
  private close(expectationKey: string): void {
    this.opened.delete(expectationKey);
    this.moved.delete(expectationKey);
    this.lapsed = this.lapsed.filter((each) => each.expectationKey !== expectationKey);
    this.closed.add(expectationKey);
  }

  private over(taskKey: string): void {
    this.overTasks.add(taskKey);
    const ofTask = [...this.opened.values()].filter((each) => each.taskKey === taskKey);
    for (const { expectationKey } of ofTask) this.opened.delete(expectationKey);
  }
}
