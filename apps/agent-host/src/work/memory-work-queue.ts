// Queued work of one process: gone with it.
import type { Json } from '#agent-handler';
import type { Clock } from '#runtime';
import { nameOf } from '../store/task-signals.ts';
import type { Lease, TaskKey } from '../store/task-store.ts';
import type { Claim, ClaimedWork, EndedWait, NewWait, NewWork, WorkQueue } from './work-queue.ts';

interface Kept {
  readonly key: TaskKey;
  readonly name: string;
  state: Json;
  askedBy: string;
  payload: Json | undefined;
  result: Json | undefined;
  /** Nobody can do what is `open`, while its turn goes on, or `external`, from then on. */
  stage: ClaimedWork['stage'] | 'open' | 'external';
  readonly row: string;
  epoch: number;
  /** Of the claim that has begun it. */
  begunEpoch: number;
  owner: string | undefined;
  /** Without an owner: nobody claims it before. */
  leaseUntilMs: number;
  isVoid: boolean;
  /** Of a wait that somebody outside ends. */
  readonly wait?: { readonly tokenHash: string; readonly lateAtMs: number };
}

/** What outlives a wait: by it a repeat is known. */
interface KnownWait {
  readonly key: TaskKey;
  readonly tokenHash: string;
  isEnded: boolean;
  changedAtMs: number;
}

const fresh = { result: undefined, epoch: 0, begunEpoch: 0, owner: undefined, leaseUntilMs: 0, isVoid: false };

/** So many waits are known, those beside that are not over. */
const mostWaits = 10_000;

export class MemoryWorkQueue implements WorkQueue {
  private readonly kept = new Map<string, Kept>();
  private rowsCount = 0;
  /** The oldest first. */
  private readonly waits = new Map<string, KnownWait>();

  constructor(private readonly clock: Clock) {}

  async enqueue(key: TaskKey, { name, payload, state, askedBy }: NewWork): Promise<void> {
    this.keep({ ...fresh, key, name, state, askedBy, payload, stage: 'waiting' });
  }

  async claim(application: string, { owner, leaseMs }: Lease): Promise<ClaimedWork | undefined> {
    for (const kept of this.kept.values()) {
      if (kept.key.application !== application || kept.leaseUntilMs > this.clock.now()) continue;
      if (this.isLate(kept)) kept.stage = 'late';
      const { key, name, state, askedBy, payload, result, stage, isVoid } = kept;
      if (stage === 'open' || stage === 'external') continue;
      kept.epoch += 1;
      kept.owner = owner;
      kept.leaseUntilMs = this.clock.now() + leaseMs;
      if (stage === 'waiting') {
        kept.stage = 'begun';
        kept.begunEpoch = kept.epoch;
      }
      return { key, name, state, askedBy, payload, result, stage, isVoid, row: kept.row, epoch: kept.epoch };
    }
    return undefined;
  }

  async renew(application: string, { owner, leaseMs }: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]> {
    const own = keys.flatMap((key) => {
      const kept = this.kept.get(nameOf(key));
      return kept?.owner === owner && key.application === application ? [kept] : [];
    });
    for (const kept of own) kept.leaseUntilMs = this.clock.now() + leaseMs;
    return own.filter(({ isVoid }) => isVoid).map(({ key }) => key);
  }

  async finish(claim: Claim, result: Json): Promise<boolean> {
    const kept = this.claimed(claim);
    if (kept === undefined || kept.isVoid) return false;
    kept.stage = 'done';
    kept.payload = undefined;
    kept.result = result;
    return true;
  }

  async passOn(claim: Claim, forMs: number): Promise<boolean> {
    const kept = this.claimed(claim);
    if (kept === undefined || kept.isVoid) return false;
    if (kept.stage === 'begun' && kept.begunEpoch === kept.epoch) kept.stage = 'waiting';
    kept.owner = undefined;
    kept.leaseUntilMs = this.clock.now() + forMs;
    return true;
  }

  async remove(claim: Claim): Promise<boolean> {
    return this.claimed(claim) !== undefined && this.kept.delete(nameOf(claim.key));
  }

  async void(key: TaskKey): Promise<'gone' | 'begun'> {
    const kept = this.kept.get(nameOf(key));
    if (kept === undefined) return 'gone';
    kept.isVoid = true;
    if (this.isHeld(kept)) return 'begun';
    this.kept.delete(nameOf(key));
    return 'gone';
  }

  async openWait(key: TaskKey, { name, tokenHash, forMs = Infinity }: NewWait): Promise<void> {
    const changedAtMs = this.clock.now();
    const wait = { tokenHash, lateAtMs: changedAtMs + forMs };
    this.keep({ ...fresh, key, name, state: null, askedBy: '', payload: undefined, stage: 'open', wait });
    this.waits.set(waitNameOf(key.application, tokenHash), { key, tokenHash, isEnded: false, changedAtMs });
    if (this.waits.size > mostWaits) await this.letGo(key.application, 0, this.waits.size - mostWaits);
  }

  async waitFor(key: TaskKey, tokenHash: string, waiting: Pick<NewWork, 'state' | 'askedBy'>): Promise<boolean> {
    const kept = this.kept.get(nameOf(key));
    if (kept?.wait?.tokenHash !== tokenHash || kept.stage !== 'open' || kept.isVoid) return false;
    kept.state = waiting.state;
    kept.askedBy = waiting.askedBy;
    kept.stage = kept.result === undefined ? 'external' : 'done';
    return true;
  }

  async endWait(application: string, tokenHash: string, result: Json): Promise<EndedWait> {
    const wait = this.waits.get(waitNameOf(application, tokenHash));
    if (wait === undefined) return 'unknown';
    if (wait.isEnded) return 'repeated';
    const kept = this.workOf(wait);
    if (kept === undefined || kept.isVoid || (kept.stage !== 'open' && kept.stage !== 'external')) return 'over';
    kept.result = result;
    if (kept.stage === 'external') kept.stage = 'done';
    wait.isEnded = true;
    wait.changedAtMs = this.clock.now();
    return 'ended';
  }

  async letGo(application: string, overForMs: number, mostCount: number): Promise<number> {
    const untilMs = this.clock.now() - overForMs;
    const old = [...this.waits]
      .filter(([, wait]) => wait.key.application === application && wait.changedAtMs <= untilMs)
      .filter(([, wait]) => this.workOf(wait) === undefined)
      .slice(0, mostCount);
    for (const [name] of old) this.waits.delete(name);
    return old.length;
  }

  private keep(kept: Omit<Kept, 'row'>): void {
    if (this.kept.has(nameOf(kept.key))) throw new Error('a task waits for one piece of work at a time');
    this.rowsCount += 1;
    this.kept.set(nameOf(kept.key), { ...kept, row: String(this.rowsCount) });
  }

  /** What the claim is of, where it is the last. */
  private claimed({ key, row, epoch }: Claim): Kept | undefined {
    const kept = this.kept.get(nameOf(key));
    return kept?.row === row && kept.epoch === epoch ? kept : undefined;
  }

  /** What its task waits for, where that is still it. */
  private workOf({ key, tokenHash }: KnownWait): Kept | undefined {
    const kept = this.kept.get(nameOf(key));
    return kept?.wait?.tokenHash === tokenHash ? kept : undefined;
  }

  private isLate({ stage, wait }: Kept): boolean {
    return stage === 'external' && wait !== undefined && wait.lateAtMs <= this.clock.now();
  }

  private isHeld({ owner, leaseUntilMs }: Kept): boolean {
    return owner !== undefined && leaseUntilMs > this.clock.now();
  }
}

function waitNameOf(application: string, tokenHash: string): string {
  return JSON.stringify([application, tokenHash]);
}
