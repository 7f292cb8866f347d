// One task that is followed: what is known of it, and when it is to be looked at next.
import type { AwaitedTask } from '#read-model';
import type { Random } from '#runtime';
import type { FollowerOptions } from './follower-options.ts';
import { Told } from './told.ts';
import { waitMs } from './waits.ts';

/** `push`: its agent sends what becomes of it. `sweep`: it is looked at with others, in its agent's list. */
export type Way = 'stream' | 'push' | 'sweep' | 'poll';

/** After so many answers in a row that there is no such task it is left alone, but for a look now and then. */
const unknownCount = 4;

/** The states after which A2A says nothing more of a task. */
const ended: readonly (string | undefined)[] = [
  'TASK_STATE_COMPLETED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_FAILED',
  'TASK_STATE_REJECTED',
];

export class FollowedTask {
  readonly taskId: string;
  readonly told = new Told();
  way: Way = 'poll';
  nextAtMs: number;
  /** The pass over the list in which it was still there. */
  pass = 0;
  /** The state that the record has. */
  recorded: string | undefined;
  /** The agent's own instant of its state. */
  statusAtMs: number | undefined;
  /** When the agent has shown the whole of it last. */
  shownAtMs: number | undefined;
  /** False where its agent would not stream it. */
  isStreamable = true;
  private state: string | undefined;
  private seenAtMs: number | undefined;
  private quietCount = 0;
  private unknownCount = 0;

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
    return ended.includes(this.state);
  }

  /** Its agent knows no such task: it cannot be followed, which is no state of it. */
  get isLost(): boolean {
    return this.unknownCount >= unknownCount;
  }

  /** It has been looked at, and nothing was new: others may have its place. */
  get isQuiet(): boolean {
    return this.quietCount > 0 && this.way !== 'stream';
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
    this.quietCount = isNews ? 0 : this.quietCount + 1;
    const { poll, netEveryMs } = this.options;
    const rests = { baseMs: netEveryMs, capMs: netEveryMs };
    const bounds = this.isOver || this.way === 'push' ? rests : poll;
    this.nextAtMs = nowMs + waitMs(this.quietCount + 1, bounds, this.random);
  }

  /** Its stream has ended, and it is known whether it has brought anything new. */
  streamed(nowMs: number, isNews: boolean): void {
    if (this.isOver) return this.looked(nowMs, isNews);
    this.quietCount = isNews ? 0 : this.quietCount + 1;
    this.nextAtMs = nowMs + waitMs(this.quietCount + 1, this.options.reconnect, this.random);
  }

  /** Its agent knows no such task; true the first time that it is given up for that. */
  unknown(nowMs: number): boolean {
    this.unknownCount += 1;
    const { poll, lostEveryMs } = this.options;
    const lost = { baseMs: lostEveryMs, capMs: lostEveryMs };
    this.nextAtMs = nowMs + waitMs(this.unknownCount, this.isLost ? lost : poll, this.random);
    return this.unknownCount === unknownCount;
  }
}
