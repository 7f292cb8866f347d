// One simulated operating system process: its clock, its calls to ports, its death. Once it is dead nothing it awaits
// ever comes, and nothing it had begun has an effect, but for a call that was on its way already.
import { setMaxListeners } from 'node:events';
import type { Clock } from '#runtime';
import { SimulationFailure } from './simulation-failure.ts';
import type { World } from './world.ts';

export type PortName = 'log' | 'database' | 'agent' | 'store';

/** One call of a port. */
export interface Call<T> {
  readonly port: PortName;
  readonly what: string;
  readonly effect: () => Promise<T> | T;
  /** What the caller is told where the port fails. `isDone`: the effect took place all the same. Absent: it never fails. */
  readonly fault?: (isDone: boolean) => Error;
  /** Whether it may take effect though the caller has died meanwhile. */
  readonly mayOutlive?: boolean;
  /** Undefined where it can take effect now; else it puts the call off until it can. */
  readonly putOff?: (again: () => void) => boolean;
  /** How the answer looks in the trace. */
  readonly shown?: (answer: T) => string;
}

export class Instance {
  isAlive = true;
  /** Aborts when the instance is asked to stop in order. */
  readonly stopping = new AbortController();
  /** Aborts when it dies, for what waits on its behalf. */
  readonly dying = new AbortController();
  /** Its clock minus the true time. */
  skewMs = 0;
  readonly clock: Clock;

  constructor(
    readonly world: World,
    readonly name: string,
    /** What ends with it begins again elsewhere: as good as a call that failed. */
    private readonly isMortal = true,
  ) {
    setMaxListeners(0, this.stopping.signal, this.dying.signal);
    this.clock = {
      now: () => Math.floor(world.nowMs + this.skewMs),
      sleep: (durationMs, signal) => this.living(world.sleep(this.isAlive ? durationMs : 0, `${name} wakes`, signal)),
    };
  }

  /** It ends here and now. */
  kill(why: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.world.note(`${this.name} DIES: ${why}`);
    this.dying.abort();
    for (const told of this.world.onDeath) told(this);
  }

  stop(): void {
    if (!this.isAlive || this.stopping.signal.aborted) return;
    this.world.note(`${this.name} is asked to stop`);
    this.stopping.abort();
  }

  /** What was awaited, if the instance lives to see it; else never. */
  async living<T>(awaited: Promise<T>): Promise<T> {
    try {
      return await awaited;
    } finally {
      if (!this.isAlive) await new Promise(() => undefined);
    }
  }

  /** Calls a port: on its way, taking effect, and on its way back, any of which may go wrong as the seed has it. */
  call<T>(call: Call<T>): Promise<T> {
    if (!this.isAlive) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const { world } = this;
      const fate = this.fateOf(call);
      const outlives = call.mayOutlive === true && world.chance.happens(0.5);
      const arrive = async (): Promise<void> => {
        if (!this.isAlive && !outlives) return;
        if (call.putOff?.(() => void world.after(0, call.what, arrive)) === true) return;
        if (fate === 'dies before' && this.isAlive) {
          this.kill(`before ${call.what}`);
          if (!outlives) return;
        }
        const answer = await this.takeEffect(call, fate);
        if (fate === 'dies after') this.kill(`after ${call.what}`);
        world.after(latencyMs(world), `${call.what} answered`, () => {
          if (!this.isAlive) return;
          if ('error' in answer) reject(answer.error);
          else resolve(answer.value);
        });
      };
      world.after(latencyMs(world), call.what, arrive);
    });
  }

  private async takeEffect<T>(call: Call<T>, fate: Fate): Promise<{ readonly value: T } | { readonly error: Error }> {
    const { world, name } = this;
    if (fate === 'fails undone' && call.fault !== undefined) {
      world.note(`${name} ${call.what}: FAILS, not done`);
      return { error: call.fault(false) };
    }
    try {
      const value = await call.effect();
      const shown = call.shown === undefined ? '' : ` -> ${call.shown(value)}`;
      if (fate === 'fails done' && call.fault !== undefined) {
        world.note(`${name} ${call.what}${shown}: done, but FAILS`);
        return { error: call.fault(true) };
      }
      world.note(`${name} ${call.what}${shown}`);
      return { value };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof SimulationFailure) throw error;
      world.note(`${name} ${call.what}: ${error.name}: ${error.message}`);
      return { error };
    }
  }

  private fateOf<T>({ port, fault }: Call<T>): Fate {
    const { chance, swarm, outages } = this.world;
    if (this.isMortal && chance.happens(swarm.crashRate)) return chance.happens(0.5) ? 'dies before' : 'dies after';
    if (fault === undefined) return 'goes well';
    if (outages.has(port)) return 'fails undone';
    if (chance.happens(swarm.failRate)) return chance.happens(0.5) ? 'fails undone' : 'fails done';
    return 'goes well';
  }
}

type Fate = 'goes well' | 'dies before' | 'dies after' | 'fails undone' | 'fails done';

/** How long something is on its way, as the seed has it. */
export function latencyMs({ chance, swarm }: World): number {
  return chance.happens(swarm.slowRate) ? chance.below(swarm.slowMs) : chance.below(swarm.quickMs + 1);
}
