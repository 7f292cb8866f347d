// One task that is followed: what is known of it, and when it is to be looked at next.
import { isTerminal } from '#expectations';
import type { TaskReadError } from '#protocol';
import type { AwaitedTask } from '#read-model';
import { type Random, waitMs } from '#runtime';
import { certainCount, type NoAnswer, noAnswer } from './no-answer.ts';
import type { FollowerOptions } from './follower-options.ts';
import { Told } from './told.ts';

/** `push`: its agent sends what becomes of it. `sweep`: it is looked at with others, in its agent's list. */
export type Way = 'stream' | 'push' | 'sweep' | 'poll';

/** After so many streams in a row that broke at once it is not streamed for a while. */
const mostBroken = 5;

export class FollowedTask {
  readonly taskId: string;
  readonly told = new Told();
  way: Way = 'poll';
  nextAtMs: number;
  /** The pass over the list in which it was still there. */
  pass = 0;
  /** It was to be followed when following began: whether it could be before is not known. */
  isFromBefore = false;
  /** The state that the record has. */
  recorded: string | undefined;
  /** The agent's own instant of its state. */
  statusAtMs: number | undefined;
  /** When the agent has shown the whole of it last. */
  shownAtMs: number | undefined;
  private state: string | undefined;
  private seenAtMs: number | undefined;
  private quietCount = 0;
  private unknownCount = 0;
  private faultsCount = 0;
  private fault: NoAnswer | undefined;
  private brokenCount = 0;
  private streamableAtMs = -Infinity;

  constructor(
    { taskId, seenAtMs }: AwaitedTask,
    nowMs: number,
    private readonly options: FollowerOptions,
    private readonly random: Random,
  ) {
    this.taskId = taskId;
    // What nobody has ever seen is looked at at once: a lapse task, as a rule.
    this.nextAtMs = seenAtMs === undefined ? nowMs : seenAtMs + options.unseenMs;
  }

  /** Its agent has said that it is over: what remains is that the record says so. */
  get isOver(): boolean {
    return isTerminal(this.state ?? null);
  }

  /** Its agent knows no such task: it is left alone, but for a look now and then, which is no state of it. */
  get isLost(): boolean {
    return this.unknownCount >= certainCount;
  }

  /** Why its agent does not say how it stands, again and again; undefined where it does, or that is not certain. */
  get trouble(): NoAnswer | undefined {
    if (this.isLost) return { cause: 'unknownTask', message: 'the agent knows no such task' };
    return this.faultsCount >= certainCount ? this.fault : undefined;
  }

  /** Whether it can be followed is not certain. */
  get isInDoubt(): boolean {
    return this.unknownCount + this.faultsCount > 0 || (this.isFromBefore && this.shownAtMs === undefined);
  }

  /** It has been asked for, and there is nothing to wait for soon: others may have its place. */
  get mayGo(): boolean {
    if (this.way === 'stream') return false;
    return this.isOver || this.quietCount + this.unknownCount + this.faultsCount > 0;
  }

  /** Whether it is worth asking its agent for a stream of it. */
  isStreamable(nowMs: number): boolean {
    return nowMs >= this.streamableAtMs && !this.isOver && !this.isLost;
  }

  /** As the record has it now; what somebody else has just seen need not be looked at yet. */
  refresh({ state, statusAtMs, seenAtMs }: AwaitedTask): void {
    this.recorded = state;
    this.statusAtMs ??= statusAtMs;
    if (seenAtMs === undefined || seenAtMs === this.seenAtMs) return;
    this.seenAtMs = seenAtMs;
    this.nextAtMs = Math.max(this.nextAtMs, seenAtMs + this.options.unseenMs);
  }

  /** The log was told that it is in this state. */
  said(state: string | undefined): void {
    this.state = state ?? this.state;
  }

  /** It was looked at, and it is known whether anything was new. */
  looked(nowMs: number, isNews: boolean): void {
    this.unknownCount = 0;
    this.faultsCount = 0;
    this.quietCount = isNews ? 0 : this.quietCount + 1;
    const { poll, netEveryMs } = this.options;
    const rests = { baseMs: netEveryMs, capMs: netEveryMs };
    const bounds = this.isOver || this.way === 'push' ? rests : poll;
    this.nextAtMs = nowMs + waitMs(this.quietCount + 1, bounds, this.random);
  }

  /** What was shown may be older than what somebody else was shown meanwhile: it is asked for again, soon. */
  overtaken(nowMs: number): void {
    this.unknownCount = 0;
    this.faultsCount = 0;
    this.nextAtMs = nowMs + waitMs(1, this.options.reconnect, this.random);
  }

  /** Its stream has ended; `hasHeld`: it has brought news, or stood for a while. */
  streamed(nowMs: number, hasHeld: boolean): void {
    if (this.isOver) return this.looked(nowMs, hasHeld);
    this.quietCount = hasHeld ? 0 : this.quietCount + 1;
    this.brokenCount = 0;
    this.nextAtMs = nowMs + waitMs(this.quietCount + 1, this.options.reconnect, this.random);
  }

  /** Its stream has broken at once, or its agent does not stream it: it is asked for in another way for a while. */
  broken(nowMs: number, error: TaskReadError): void {
    this.brokenCount += 1;
    // One that is over is streamed no more, and some never are: how it stands can be asked all the same.
    if (error.fault !== 'unsupported' && this.brokenCount < mostBroken) return this.failed(nowMs, error);
    this.brokenCount = 0;
    this.streamableAtMs = nowMs + this.options.lostEveryMs;
    this.nextAtMs = nowMs;
  }

  /** Its agent did not answer for it: others of that agent's come first now, since it may be this one's fault. */
  failed(nowMs: number, error: TaskReadError): void {
    this.fault = noAnswer(error);
    this.faultsCount += 1;
    this.nextAtMs = nowMs + waitMs(this.faultsCount, this.options.failure, this.random);
  }

  /** Its agent knows no such task; true the first time that it is given up for that. */
  unknown(nowMs: number): boolean {
    this.unknownCount += 1;
    const { poll, lostEveryMs } = this.options;
    const lost = { baseMs: lostEveryMs, capMs: lostEveryMs };
    this.nextAtMs = nowMs + waitMs(this.unknownCount, this.isLost ? lost : poll, this.random);
    return this.unknownCount === certainCount;
  }
}
