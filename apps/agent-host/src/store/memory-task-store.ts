// Tasks of one process: gone with it, and the oldest of those that are over once there are too many.
import { Task } from '@a2a-js/sdk';
import { defaultBounds } from '#reminders';
import type { Clock } from '#runtime';
import { MemoryTaskReminders } from '../reminders/memory-task-reminders.ts';
import { concernsReminders } from '../reminders/reminder-inputs.ts';
import { remindTask, type RemindedTask } from '../reminders/remind.ts';
import type { TaskReminders } from '../reminders/task-reminders.ts';
import type { TaskEvent } from '../task/task-event.ts';
import { evolveTask, firstRefusal, foldTask } from '../task/task-life.ts';
import { isOver, stateOf } from '../task/task-state.ts';
import { guardRefusal } from './append-guard.ts';
import { TaskSignals, nameOf } from './task-signals.ts';
import {
  type AppendGuard,
  type Appended,
  type Created,
  type HeldRun,
  type Lease,
  mostPageBytes,
  type NewTask,
  type PagePlace,
  type StoredTask,
  type TaskKey,
  type TaskPage,
  type TaskQuery,
  type TaskScope,
  type TaskStore,
  type TaskWatch,
} from './task-store.ts';

interface Kept {
  readonly key: TaskKey;
  readonly events: TaskEvent[];
  task: Task;
  epoch: number;
  owner: string | undefined;
  leaseUntilMs: number;
  isCancelAsked: boolean;
  readonly onceName: string | undefined;
}

/** So many tasks that are over are kept. */
const mostOver = 10_000;

export class MemoryTaskStore implements TaskStore {
  private readonly kept = new Map<string, Kept>();
  private readonly onces = new Map<string, { readonly taskId: string; readonly requestHash: string }>();
  /** Names of tasks that are over, the oldest first. */
  private readonly over = new Set<string>();
  private readonly signals: TaskSignals;
  private reminders: MemoryTaskReminders | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly keptOver = mostOver,
  ) {
    this.signals = new TaskSignals(clock);
  }

  keepReminders(bounds = defaultBounds): TaskReminders {
    const find = (key: TaskKey) => {
      const task = this.find(key)?.task;
      return task && { contextId: task.contextId, isOver: isOver(stateOf(task)) };
    };
    return (this.reminders ??= new MemoryTaskReminders(
      { find, tell: (key, events) => this.happen(this.find(key), events) },
      this.signals,
      bounds,
    ));
  }

  async create(task: NewTask): Promise<Created> {
    if (this.reminders === undefined) return this.begin(task);
    const { contextId, key, events } = task;
    const { bounds } = this.reminders;
    return this.reminders.withTask({ ...key, contextId }, events[0]?.at ?? '', (before) => {
      const reminded = remindTask(before, { taskId: key.taskId, version: 0, bounds }, events);
      const answer = this.begin({ ...task, events: reminded.taskEvents });
      return { answer, ...('epoch' in answer && { reminded }) };
    });
  }

  private begin({ key, contextId, events, lease, once }: NewTask): Created {
    const onceName = once === undefined ? undefined : JSON.stringify([key.application, key.user, once.key]);
    const known = onceName === undefined ? undefined : this.onces.get(onceName);
    if (known !== undefined) return { known };
    const refusal = firstRefusal(undefined, events);
    const task = foldTask(undefined, events, { taskId: key.taskId, contextId });
    if (refusal !== undefined || task === undefined) throw new Error(`a task cannot begin so: ${refusal}`);
    const leaseUntilMs = lease === undefined ? 0 : this.clock.now() + lease.leaseMs;
    const owner = isOver(stateOf(task)) ? undefined : lease?.owner;
    const kept = { key, events: [...events], task, epoch: 1, owner, leaseUntilMs, isCancelAsked: false, onceName };
    this.kept.set(nameOf(key), kept);
    if (onceName !== undefined && once !== undefined) {
      this.onces.set(onceName, { taskId: key.taskId, requestHash: once.requestHash });
    }
    this.noteOver(kept);
    this.signals.tell(key);
    return { epoch: 1 };
  }

  async append(key: TaskKey, guard: AppendGuard, events: readonly TaskEvent[], then?: 'release'): Promise<Appended> {
    const contextId = this.find(key)?.task.contextId;
    const isConcern = contextId !== undefined && concernsReminders(events, then);
    if (this.reminders === undefined || !isConcern) return this.appendNow(key, guard, events, then).answer;
    const at = events[0]?.at ?? new Date(this.clock.now()).toISOString();
    const { bounds } = this.reminders;
    return this.reminders.withTask({ ...key, contextId }, at, (before) =>
      this.appendNow(key, guard, events, then, (version) =>
        remindTask(before, { taskId: key.taskId, version, bounds }, events, then && { at }),
      ),
    );
  }

  private appendNow(
    key: TaskKey,
    guard: AppendGuard,
    events: readonly TaskEvent[],
    then: 'release' | undefined,
    remind?: (version: number) => RemindedTask,
  ): { readonly answer: Appended; readonly reminded?: RemindedTask } {
    const kept = this.find(key);
    if (kept === undefined) return { answer: { refused: 'unknown' } };
    const version = kept.events.length;
    const refused = guardRefusal({ epoch: kept.epoch, version }, guard) ?? firstRefusal(stateOf(kept.task), events);
    if (refused !== undefined) return { answer: { refused } };
    const reminded = remind?.(version);
    this.happen(kept, reminded?.taskEvents ?? events);
    if (then === 'release' || isOver(stateOf(kept.task))) kept.owner = undefined;
    this.noteOver(kept);
    return { answer: { version: kept.events.length }, ...(reminded && { reminded }) };
  }

  async read(key: TaskKey): Promise<StoredTask | undefined> {
    const kept = this.find(key);
    if (kept === undefined) return undefined;
    const { task, events, epoch, isCancelAsked } = kept;
    const run = kept.owner === undefined ? 'none' : this.isRun(kept) ? 'held' : 'abandoned';
    return { task, version: events.length, epoch, run, isCancelAsked };
  }

  async eventsAfter(key: TaskKey, version: number, mostCount = Infinity): Promise<readonly TaskEvent[]> {
    return this.find(key)?.events.slice(version, version + mostCount) ?? [];
  }

  async list(scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
    const found = [...this.kept.values()]
      .filter(({ key, task }) => isOf(scope, key) && isAsked(task, query))
      .map(({ task }) => ({ task, place: placeOf(task) }))
      .sort((a, b) => order(a.place, b.place));
    const { after } = query;
    const rest = after === undefined ? found : found.filter(({ place }) => order(after, place) < 0);
    const page = withinBytes(rest.slice(0, query.pageSize));
    const next = rest.length > page.length ? page.at(-1)?.place : undefined;
    return { tasks: page.map(({ task }) => task), totalCount: found.length, ...(next && { next }) };
  }

  watch(key: TaskKey): TaskWatch {
    return this.signals.watch(key);
  }

  async takeOver(key: TaskKey, { owner, leaseMs }: Lease): Promise<number | undefined> {
    const kept = this.find(key);
    if (kept === undefined || this.isRun(kept) || isOver(stateOf(kept.task))) return undefined;
    kept.epoch += 1;
    kept.owner = owner;
    kept.leaseUntilMs = this.clock.now() + leaseMs;
    return kept.epoch;
  }

  async renew(application: string, { owner, leaseMs }: Lease, keys: readonly TaskKey[]): Promise<readonly HeldRun[]> {
    const untilMs = this.clock.now() + leaseMs;
    const held = keys.flatMap((key) => {
      const kept = this.find(key);
      return kept?.owner === owner && key.application === application ? [kept] : [];
    });
    for (const kept of held) kept.leaseUntilMs = untilMs;
    return held.map(({ key, epoch, isCancelAsked }) => ({ key, epoch, isCancelAsked }));
  }

  async abandoned(application: string, limit: number): Promise<readonly TaskKey[]> {
    return [...this.kept.values()]
      .filter((kept) => kept.key.application === application && kept.owner !== undefined && !this.isRun(kept))
      .slice(0, limit)
      .map(({ key }) => key);
  }

  async askToCancel(key: TaskKey): Promise<void> {
    const kept = this.find(key);
    if (kept === undefined || isOver(stateOf(kept.task))) return;
    kept.isCancelAsked = true;
    this.signals.tell(key);
  }

  async letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    const untilMs = this.clock.now() - overForMs;
    const old = [...this.over]
      .filter((name) => {
        const kept = this.kept.get(name);
        return kept?.key.application === application && placeOf(kept.task).statusMs <= untilMs;
      })
      .slice(0, mostCount);
    for (const name of old) this.remove(name);
    return old.length;
  }

  async close(): Promise<void> {
    // There is nothing to be let go of.
  }

  /** Where the task is over it is one of those of which the oldest go. */
  private noteOver({ key, task }: Kept): void {
    if (!isOver(stateOf(task))) return;
    this.over.add(nameOf(key));
    const [oldest] = this.over;
    if (this.over.size > this.keptOver && oldest !== undefined) this.remove(oldest);
  }

  private remove(name: string): void {
    const { onceName } = this.kept.get(name) ?? {};
    if (onceName !== undefined) this.onces.delete(onceName);
    this.kept.delete(name);
    this.over.delete(name);
  }

  private happen(kept: Kept | undefined, events: readonly TaskEvent[]): void {
    if (kept === undefined) return;
    const identity = { taskId: kept.task.id, contextId: kept.task.contextId };
    for (const event of events) {
      kept.task = evolveTask(kept.task, event, identity);
      kept.events.push(event);
    }
    this.signals.tell(kept.key);
  }

  private find(key: TaskKey): Kept | undefined {
    return this.kept.get(nameOf(key));
  }

  private isRun(kept: Kept): boolean {
    return kept.owner !== undefined && kept.leaseUntilMs > this.clock.now();
  }
}

function isOf(scope: TaskScope, key: TaskKey): boolean {
  return key.application === scope.application && key.user === scope.user;
}

function isAsked(task: Task, { contextId, state, statusFromMs }: TaskQuery): boolean {
  if (contextId !== undefined && task.contextId !== contextId) return false;
  if (state !== undefined && stateOf(task) !== state) return false;
  return statusFromMs === undefined || placeOf(task).statusMs >= statusFromMs;
}

/** At least the first. */
function withinBytes<Found extends { readonly task: Task }>(found: readonly Found[]): readonly Found[] {
  let bytes = 0;
  return found.filter(({ task }) => {
    const isWithin = bytes < mostPageBytes;
    if (isWithin) bytes += Buffer.byteLength(JSON.stringify(Task.toJSON(task)));
    return isWithin;
  });
}

function placeOf(task: Task): PagePlace {
  return { statusMs: Date.parse(task.status?.timestamp ?? ''), taskId: task.id };
}

/** Negative where `a` is listed first. */
function order(a: PagePlace, b: PagePlace): number {
  if (a.statusMs !== b.statusMs) return b.statusMs - a.statusMs;
  return a.taskId === b.taskId ? 0 : a.taskId > b.taskId ? -1 : 1;
}
