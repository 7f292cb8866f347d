// In which order this process was shown what tasks ask. An agent that gives its states no instants may be asked how a task
// stands, put a question to its client, and be shown as it was before: that would answer the question (§11). A state is newer
// than a question if it was asked for after that was shown; what is not known to be newer must answer nothing.
import type { UntimedInput } from '#event-log';
import { isInterrupted, isTerminal, parseInstant } from '#expectations';
import { hashOf } from './content-hash.ts';

/** A request to an agent, or a stream of its. */
export interface Asking {
  /** What it shows is no older than this place in the order. */
  readonly since: number;
  /** By task, the place of the question that it has shown: what it shows after it is no older. */
  readonly shown: Map<string, number>;
}

type Status = Extract<UntimedInput, { readonly type: 'statusObserved' }>;

/** Tasks whose questions are remembered, and how many of each. */
const mostTasks = 20_000;
const questionsCount = 16;
/** Of one asking. What it forgets it counts as shown no later than it was asked: that is held back, and asked for again. */
const mostShown = 1_000;

export class StateOrder {
  private place = 0;
  /** By tenant and task, the places of the questions that it was shown to ask. */
  private readonly tenants = new Map<string, Map<string, Map<string, number>>>();
  private tasksCount = 0;

  constructor(private readonly tasksAtMost = mostTasks) {}

  /** To be called before the agent is. */
  ask(): Asking {
    return { since: this.place, shown: new Map() };
  }

  /** It is about to be told, as `asking` has shown it. The place than which it is no older. */
  note(tenant: string, status: Status, asking: Asking): number {
    const key = keyOf(tenant, status);
    const since = Math.max(asking.since, asking.shown.get(key) ?? 0);
    if (!isInterrupted(status.state) || status.message === undefined) return since;
    const tasks = this.tenants.get(tenant) ?? new Map<string, Map<string, number>>();
    const questions = tasks.get(key) ?? new Map<string, number>();
    const question = hashOf(status.message);
    const place = questions.get(question) ?? (this.place += 1);
    keep(questions, question, place, questionsCount);
    this.tasksCount += tasks.has(key) ? 0 : 1;
    keep(tasks, key, questions, Infinity);
    this.tenants.set(tenant, tasks);
    this.forget();
    keep(asking.shown, key, Math.max(since, place), mostShown);
    return since;
  }

  /** Of the tenant that has most, so that none makes another's forgotten. */
  private forget(): void {
    while (this.tasksCount > this.tasksAtMost) {
      const [tenant, tasks] = [...this.tenants].reduce((most, each) => (each[1].size > most[1].size ? each : most));
      const [oldest] = tasks.keys();
      if (oldest !== undefined) tasks.delete(oldest);
      if (tasks.size === 0) this.tenants.delete(tenant);
      this.tasksCount -= 1;
    }
  }

  /** Whether it may be older than a question of its task, and would answer it. */
  isOvertaken(tenant: string, status: Status, since: number): boolean {
    const { state, statusAt } = status;
    if (typeof state !== 'string' || isInterrupted(state) || isTerminal(state)) return false;
    if (!Number.isNaN(parseInstant(statusAt))) return false;
    const places = this.tenants.get(tenant)?.get(keyOf(tenant, status))?.values() ?? [];
    return [...places].some((place) => place > since);
  }
}

function keyOf(tenant: string, { agentId, taskId }: Status): string {
  return hashOf([tenant, agentId, taskId]);
}

/** Bounded: the one kept longest goes first. */
function keep<T>(map: Map<string, T>, key: string, value: T, count: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= count) return;
    map.delete(oldest);
  }
}
