// Queued work: what a task waits for. Apart from tasks and sessions: none of the three configures another.
// It must never be done twice where it may not be repeated, nor kept once its task is canceled.
import type { Json } from '#agent-handler';
import type { Lease, TaskKey } from '../store/task-store.ts';

/** A task waits for one piece of work at a time. */
export interface NewWork {
  readonly name: string;
  readonly payload: Json;
  /** Given back to the handler when the work is done. */
  readonly state: Json;
  /** The process whose turn asked for it. */
  readonly askedBy: string;
}

/** Of a turn that hands a token to somebody outside before it ends. */
export interface NewWait {
  readonly name: string;
  /** Of the token, which is kept nowhere. */
  readonly tokenHash: string;
  /** From now on; for as long as it takes where it is absent. */
  readonly forMs?: number;
}

/** `ended`: it is now. `repeated`: it was before. `over`: nobody waits for it any more. */
export type EndedWait = 'ended' | 'repeated' | 'over' | 'unknown';

export interface ClaimedWork {
  readonly key: TaskKey;
  readonly name: string;
  readonly state: Json;
  readonly askedBy: string;
  /** Which of the pieces of work that its task asks for, one after the other. */
  readonly row: string;
  /** How often it has been claimed; with its row, what this claim's changes carry. */
  readonly epoch: number;
  /**
   * `waiting`: nobody has begun it. `begun`: who did has not said so again in time. `done`: its task is to go on. `late`: so
   * it is, after a wait whose time is over.
   */
  readonly stage: 'waiting' | 'begun' | 'done' | 'late';
  /** Undefined once it is done: nobody keeps it longer than needed. */
  readonly payload: Json | undefined;
  readonly result: Json | undefined;
  /** Its task is canceled, and who was told so has gone: nothing is done but to remove it. */
  readonly isVoid: boolean;
}

export type Claim = Pick<ClaimedWork, 'key' | 'row' | 'epoch'>;

/** Every method may throw `StorageUnavailableError` (retryable). */
export interface WorkQueue {
  enqueue(key: TaskKey, work: NewWork): Promise<void>;
  /** The oldest that nobody works on; it is begun from here on. Undefined where there is none. */
  claim(application: string, lease: Lease): Promise<ClaimedWork | undefined>;
  /**
   * Says again that the owner works on these, and answers with which of them are void. What else it has claimed, and does
   * not know of after a fault, is claimed again in time.
   */
  renew(application: string, lease: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]>;
  /** The payload is removed and the result kept. False where the claim is another's by now, or the work void. */
  finish(claim: Claim, result: Json): Promise<boolean>;
  /**
   * It is as if this claim had never been, but that it counts in the epoch; nobody claims it for so long. False where the claim
   * is another's by now, or the work void.
   */
  passOn(claim: Claim, forMs: number): Promise<boolean>;
  /** Nothing is left of it. False where the claim is another's by now. */
  remove(claim: Claim): Promise<boolean>;
  /**
   * Nobody begins it any more. `gone`: nothing is left of it, its payload included; `begun`: whoever works on it is told,
   * and removes it.
   */
  void(key: TaskKey): Promise<'gone' | 'begun'>;
  /** What the task waits for next, while its turn goes on. Nobody claims it before `waitFor`. */
  openWait(key: TaskKey, wait: NewWait): Promise<void>;
  /**
   * The turn that has opened it is over: it is done once it is ended, or is so already, and late once its time is over.
   * False where it is void.
   */
  waitFor(key: TaskKey, tokenHash: string, waiting: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean>;
  /** Once: the first result counts. */
  endWait(application: string, tokenHash: string, result: Json): Promise<EndedWait>;
  /** Forgets waits that have been over for so long, so many at most: they are unknown then. How many. */
  letGo(application: string, overForMs: number, mostCount: number): Promise<number>;
}
