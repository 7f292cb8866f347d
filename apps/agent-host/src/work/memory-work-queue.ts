// Queued work of one process: gone with it.
import type { Json } from '#agent-handler';
import type { Clock } from '#runtime';
import { nameOf } from '../store/task-signals.ts';
import type { Lease, TaskKey } from '../store/task-store.ts';
import type { ClaimedWork, NewWork, WorkQueue } from './work-queue.ts';

interface Kept {
  readonly key: TaskKey;
  readonly name: string;
  readonly state: Json;
  readonly askedBy: string;
  payload: Json | undefined;
  result: Json | undefined;
  stage: ClaimedWork['stage'];
  epoch: number;
  owner: string | undefined;
  leaseUntilMs: number;
  isVoid: boolean;
}

export class MemoryWorkQueue implements WorkQueue {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  async enqueue(key: TaskKey, { name, payload, state, askedBy }: NewWork): Promise<void> {
    if (this.kept.has(nameOf(key))) throw new Error('a task waits for one piece of work at a time');
    const fresh = { stage: 'waiting' as const, epoch: 0, owner: undefined, leaseUntilMs: 0, isVoid: false };
    this.kept.set(nameOf(key), { key, name, state, askedBy, payload, result: undefined, ...fresh });
  }

  async claim(application: string, { owner, leaseMs }: Lease): Promise<ClaimedWork | undefined> {
    const free = [...this.kept.values()].find((kept) => kept.key.application === application && !this.isHeld(kept));
    if (free === undefined) return undefined;
    const { key, name, state, askedBy, payload, result, stage, isVoid } = free;
    free.epoch += 1;
    free.owner = owner;
    free.leaseUntilMs = this.clock.now() + leaseMs;
    if (stage === 'waiting') free.stage = 'begun';
    return { key, name, state, askedBy, payload, result, stage, isVoid, epoch: free.epoch };
  }

  async renew(application: string, { owner, leaseMs }: Lease, keys: readonly TaskKey[]): Promise<readonly TaskKey[]> {
    const own = keys.flatMap((key) => {
      const kept = this.kept.get(nameOf(key));
      return kept?.owner === owner && key.application === application ? [kept] : [];
    });
    for (const kept of own) kept.leaseUntilMs = this.clock.now() + leaseMs;
    return own.filter(({ isVoid }) => isVoid).map(({ key }) => key);
  }

  async finish(key: TaskKey, epoch: number, result: Json): Promise<boolean> {
    const kept = this.kept.get(nameOf(key));
    if (kept?.epoch !== epoch || kept.isVoid) return false;
    kept.stage = 'done';
    kept.payload = undefined;
    kept.result = result;
    return true;
  }

  async remove(key: TaskKey, epoch: number): Promise<boolean> {
    if (this.kept.get(nameOf(key))?.epoch !== epoch) return false;
    return this.kept.delete(nameOf(key));
  }

  async void(key: TaskKey): Promise<'gone' | 'begun'> {
    const kept = this.kept.get(nameOf(key));
    if (kept === undefined) return 'gone';
    kept.isVoid = true;
    if (this.isHeld(kept)) return 'begun';
    this.kept.delete(nameOf(key));
    return 'gone';
  }

  private isHeld({ owner, leaseUntilMs }: Kept): boolean {
    return owner !== undefined && leaseUntilMs > this.clock.now();
  }
}
