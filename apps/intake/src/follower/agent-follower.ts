// One agent's tasks, each followed by the best way there is: a stream, what the agent sends by itself, its list, or asking for
// it. An agent that does not answer is asked rarely; nothing is inferred from that, of any of its tasks.
import { Logger } from '@nestjs/common';
import { TaskReadError } from '#protocol';
import type { AwaitedTask } from '#read-model';
import { waitMs, WakeUp } from '#runtime';
import { type Access, AgentAccess } from './agent-access.ts';
import { AgentSweep } from './agent-sweep.ts';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import type { Standing } from './no-answer.ts';
import { FollowedTask } from './followed-task.ts';
import { isOwnFault } from './own-fault.ts';
import { PushAsker } from './push-asker.ts';
import { TaskStream } from './task-stream.ts';
import { TaskWatch } from './task-watch.ts';

/** Tasks that are looked at in one go, four at a time. */
const goCount = 40;
const atOnceCount = 4;
const idleMs = 300_000;
const ownWaits = { baseMs: 1_000, capMs: 15_000 };
const unregisteredMs = 60_000;
const mostListFaults = 3;

export class AgentFollower {
  readonly tasks = new Map<string, FollowedTask>();
  private readonly logger = new Logger('Follower');
  private readonly wakeUp: WakeUp;
  private readonly watch: TaskWatch;
  private readonly sweeping: AgentSweep;
  private readonly pushes: PushAsker;
  private readonly streaming = new Map<
    FollowedTask,
    { readonly stream: TaskStream; readonly ending: AbortController; readonly done: Promise<void> }
  >();
  private ownFaultsCount = 0;
  private listFaultsCount = 0;
  /** It has nothing to follow, and takes nothing more. */
  isEnding = false;

  /** `guard` is given what runs beside; what it throws is a bug. `access`: how the agent has answered before, where that is known. */
  constructor(
    private readonly name: FollowedAgentName,
    private readonly ports: FollowPorts,
    private readonly guard: (work: Promise<void>) => Promise<void>,
    readonly access = new AgentAccess(name, ports),
  ) {
    this.wakeUp = new WakeUp(ports.clock);
    this.watch = new TaskWatch(name, ports);
    this.sweeping = new AgentSweep(name, this.access, this.watch, ports);
    this.pushes = new PushAsker(name, this.access, ports);
  }

  get agentId(): string {
    return this.name.agentId;
  }

  /** Whether its tasks can be followed; undefined while that is not certain. */
  get standing(): Standing {
    if (this.tasks.size === 0) return undefined;
    const silent = [...this.tasks.values()].filter((task) => this.streaming.get(task)?.stream.hasBegun !== true);
    const { trouble } = this.access;
    if (trouble !== undefined && silent.length > 0) return { ...trouble, count: silent.length };
    const troubles = silent.flatMap((task) => task.trouble ?? []);
    if (troubles[0] !== undefined) return { ...troubles[0], count: troubles.length };
    return this.access.isFailing || silent.some(({ isInDoubt }) => isInDoubt) ? undefined : 'followed';
  }

  /** The task is still to be followed, and this is what the record has of it. */
  take(awaited: AwaitedTask, pass: number): void {
    const { clock, options, random } = this.ports;
    const known = this.tasks.get(awaited.taskId);
    const task = known ?? new FollowedTask(awaited, clock.now(), options, random);
    task.pass = pass;
    task.refresh(awaited);
    if (known !== undefined) return;
    task.isFromBefore = pass === 1;
    this.tasks.set(task.taskId, task);
    this.wakeUp.wake();
  }

  /** The task is to be followed no more: `isDone`, or not here and now. */
  async drop(task: FollowedTask, isDone: boolean): Promise<void> {
    this.tasks.delete(task.taskId);
    this.streaming.get(task)?.ending.abort();
    this.wakeUp.wake();
    if (isDone) await this.pushes.end(task);
  }

  /** Follows until there is nothing to follow, or the signal aborts. Throws bugs. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.tasks.size > 0) {
      const nowMs = this.ports.clock.now();
      const due = this.due(nowMs);
      if (due.length === 0 || nowMs < this.access.notBeforeMs) await this.rest(nowMs, signal);
      else await this.go(due, signal);
    }
    this.isEnding = true;
    for (const { ending } of this.streaming.values()) ending.abort();
    await Promise.all([...this.streaming.values()].map(({ done }) => done));
  }

  /** Those that wait longest for a look, of an agent that does not answer the first alone. */
  private due(nowMs: number): readonly FollowedTask[] {
    const due = [...this.tasks.values()].filter((task) => task.nextAtMs <= nowMs && !this.streaming.has(task));
    due.sort((left, right) => left.nextAtMs - right.nextAtMs);
    return due.slice(0, this.access.isFailing ? 1 : goCount);
  }

  private async rest(nowMs: number, signal: AbortSignal): Promise<void> {
    let nextAtMs = nowMs + idleMs;
    for (const task of this.tasks.values()) {
      if (!this.streaming.has(task)) nextAtMs = Math.min(nextAtMs, task.nextAtMs);
    }
    await this.wakeUp.sleep(Math.max(nextAtMs, this.access.notBeforeMs) - nowMs, signal);
  }

  private async go(due: readonly FollowedTask[], signal: AbortSignal): Promise<void> {
    try {
      const access = await this.access.find();
      if (access === undefined) this.access.wait(unregisteredMs);
      else await this.look(access, due, signal);
      this.ownFaultsCount = 0;
    } catch (error) {
      if (!signal.aborted) this.fault(error);
    }
  }

  private async look(access: Access, due: readonly FollowedTask[], signal: AbortSignal): Promise<void> {
    const rest = this.access.isFailing ? due : due.filter((task) => !this.begin(access, task, signal));
    if (!this.access.isFailing) await this.pushes.ask(access, rest, signal);
    const single = await this.sweep(access, rest, signal);
    for (let from = 0; from < single.length; from += atOnceCount) {
      const some = single.slice(from, from + atOnceCount);
      const done = await Promise.allSettled(some.map((task) => this.read(access, task, signal)));
      const faults = done.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      if (signal.aborted) return;
      faults.forEach((fault) => this.fault(fault));
      if (faults.length > 0) return;
    }
  }

  /** Looks at all that its list may show, where that is worth it; resolves to those that are to be looked at by themselves. */
  private async sweep(
    access: Access,
    due: readonly FollowedTask[],
    signal: AbortSignal,
  ): Promise<readonly FollowedTask[]> {
    const canShow = (task: FollowedTask): boolean => task.way !== 'push' && this.sweeping.canShow(task);
    if (!this.access.does('list') || this.access.isFailing || !due.some(canShow)) return due;
    const together = [...this.tasks.values()].filter((task) => !this.streaming.has(task) && canShow(task));
    if (together.length <= this.ports.options.singlesCount) return due;
    const alone = due.filter((task) => !canShow(task));
    try {
      const left = new Set(await this.sweeping.sweep(access, together, signal));
      this.listFaultsCount = 0;
      return [...alone, ...due.filter((task) => left.has(task))];
    } catch (error) {
      if (!(error instanceof TaskReadError)) throw error;
      // A list that is too long to be read fails each time, while each of its tasks can be asked for.
      this.listFaultsCount += 1;
      if (error.fault === 'away' && this.listFaultsCount < mostListFaults) throw error;
      this.access.doesNot('list');
      return due;
    }
  }

  private async read({ target }: Access, task: FollowedTask, signal: AbortSignal): Promise<void> {
    await this.ports.turns.within(this.name.tenant, signal, async () => {
      try {
        const asking = this.ports.sightings.ask();
        const seen = await this.ports.reader.read(target, task.taskId, signal);
        this.access.answered();
        if (task.way !== 'push') task.way = 'poll';
        await this.watch.shown(task, seen, asking);
      } catch (error) {
        if (this.isUnknown(task, error)) return;
        if (error instanceof TaskReadError) task.failed(this.ports.clock.now(), error);
        throw error;
      }
    });
  }

  /** Opens the task's stream, where its agent streams and has room for one more; false where it does not. */
  private begin(access: Access, task: FollowedTask, signal: AbortSignal): boolean {
    const { options, streams, clock } = this.ports;
    if (!access.capabilities.streaming || !task.isStreamable(clock.now())) return false;
    if (this.streaming.size >= options.streamsPerAgent) return false;
    if (streams.take(this.name.tenant, 0) !== 'taken') return false;
    const stream = new TaskStream(task, this.watch, this.ports);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end);
    const done = this.guard(
      stream
        .run(access, ending.signal, () => this.access.answered())
        .then(() => task.streamed(clock.now(), stream.hasHeld))
        .catch((error: unknown) => this.broken(task, stream, error))
        .finally(() => {
          signal.removeEventListener('abort', end);
          streams.free(this.name.tenant, 0);
          this.streaming.delete(task);
          this.wakeUp.wake();
        }),
    );
    task.way = 'stream';
    this.streaming.set(task, { stream, ending, done });
    return true;
  }

  /** A stream has ended otherwise than by its agent. Throws bugs. */
  private broken(task: FollowedTask, stream: TaskStream, error: unknown): void {
    task.way = 'poll';
    if (this.isUnknown(task, error)) return;
    if (!(error instanceof TaskReadError)) return this.fault(error);
    const nowMs = this.ports.clock.now();
    // Whoever stands between cuts what says nothing, now and then: that is no fault.
    if (stream.hasHeld && error.fault === 'away') return task.streamed(nowMs, true);
    task.broken(nowMs, error);
    if (error.fault === 'unsupported') this.access.answered();
    else this.access.failed(error);
  }

  /** Whether it is that the agent knows no such task, which is then noted. */
  private isUnknown(task: FollowedTask, error: unknown): boolean {
    if (!(error instanceof TaskReadError) || error.fault !== 'unknownTask') return false;
    this.access.answered();
    if (task.unknown(this.ports.clock.now())) {
      const { tenant, agentId } = this.name;
      const names = [agentId, tenant, task.taskId].map((text) => JSON.stringify(text.slice(0, 200)));
      this.logger.warn(`the agent ${names[0]} of ${names[1]} knows no task ${names[2]}: it cannot be followed`);
    }
    return true;
  }

  /** Waits for an agent that does not answer, or for what is ours. Throws bugs. */
  private fault(error: unknown): void {
    if (error instanceof TaskReadError) return this.access.failed(error);
    if (!isOwnFault(error)) throw error;
    this.ownFaultsCount += 1;
    this.access.wait(waitMs(this.ownFaultsCount, ownWaits, this.ports.random));
  }
}
