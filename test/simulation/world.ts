// The one scheduler of a simulated run: a list of what happens when. Everything that takes time, and everything that has
// an effect, goes through it, one at a time; between two of them all code runs until it waits.
import { setImmediate } from 'node:timers/promises';
import TinyQueue from 'tinyqueue';
import type { Clock } from '#runtime';
import { Chance } from './chance.ts';
import type { Instance, PortName } from './instance.ts';
import { drawSwarm, type Swarm } from './swarm.ts';
import { SimulationFailure } from './simulation-failure.ts';
import type { Trace } from './trace.ts';

interface Happening {
  readonly atMs: number;
  /** Of what happens at one instant, chance decides what comes first. */
  readonly tie: number;
  readonly what: string;
  readonly run: () => Promise<void> | void;
  isCancelled: boolean;
}

const MOST_STEPS = 120_000;

export class World {
  readonly chance: Chance;
  swarm: Swarm;
  /** The true time, in epoch milliseconds. */
  nowMs: number;
  /** Time that passed in leaps, while everything was asleep. */
  leaptMs = 0;
  stepCount = 0;
  /** The ports that are away at present. */
  readonly outages = new Set<PortName>();
  /** Told whenever an instance has died. */
  onDeath: ((instance: Instance) => void)[] = [];
  private failure: SimulationFailure | undefined;
  private readonly agenda = new TinyQueue<Happening>(
    [],
    (left, right) => left.atMs - right.atMs || left.tie - right.tie,
  );

  constructor(
    readonly seed: number,
    readonly trace: Trace,
    readonly startMs: number,
  ) {
    this.chance = new Chance(seed, 'world');
    this.swarm = drawSwarm(new Chance(seed, 'swarm'));
    this.nowMs = startMs;
  }

  /** A clock that is right, for what belongs to no instance. */
  readonly clock: Clock = {
    now: () => this.nowMs,
    sleep: (durationMs, signal) => this.sleep(durationMs, 'time passes', signal),
  };

  /** Time since the start without the leaps: in it things are bounded. */
  get activeMs(): number {
    return this.nowMs - this.startMs - this.leaptMs;
  }

  /** Lets something happen after so many milliseconds. The answer takes it back. */
  after(delayMs: number, what: string, run: () => Promise<void> | void): () => void {
    const happening = {
      atMs: this.nowMs + Math.max(0, delayMs),
      tie: this.chance.fraction(),
      what,
      run,
      isCancelled: false,
    };
    this.agenda.push(happening);
    return () => void (happening.isCancelled = true);
  }

  sleep(durationMs: number, what: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(durationMs, what, end);
      signal?.addEventListener('abort', end);
    });
  }

  /** Time goes on by so much while nobody could do anything: a machine that was suspended. */
  leap(durationMs: number): void {
    if (durationMs <= 0) return;
    this.nowMs += durationMs;
    this.leaptMs += durationMs;
    this.note(`all machines sleep ${Math.round(durationMs / 1000)} s`);
  }

  /** Lets the world go on for so many milliseconds. */
  async runFor(durationMs: number): Promise<void> {
    const untilMs = this.nowMs + durationMs;
    await this.settle();
    for (let next = this.next(); next !== undefined && next.atMs <= untilMs; next = this.next()) await this.step();
    this.nowMs = Math.max(this.nowMs, untilMs);
  }

  /** The next thing happens; then all code runs until it waits. */
  async step(): Promise<void> {
    const happening = this.next();
    if (happening === undefined) throw new SimulationFailure('nothing will ever happen any more');
    this.agenda.pop();
    this.nowMs = Math.max(this.nowMs, happening.atMs);
    this.stepCount += 1;
    if (this.stepCount > MOST_STEPS) this.fail('the run comes to no end');
    try {
      await happening.run();
    } catch (error) {
      this.fail(error instanceof Error ? error.message : String(error), error);
    }
    await this.settle();
    if (this.failure !== undefined) throw this.failure;
  }

  /** Runs all code until it waits for the world: microtasks, and what the product puts off by a turn of the loop. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  }

  note(line: string): void {
    this.trace.add(`${new Date(this.nowMs).toISOString()} ${line}`);
  }

  /** The run has failed; the first failure counts. */
  fail(message: string, cause?: unknown): void {
    if (this.failure !== undefined) return;
    this.failure = new SimulationFailure(message, { cause });
    this.note(`FAILED: ${message}`);
  }

  private next(): Happening | undefined {
    for (let next = this.agenda.peek(); next !== undefined; next = this.agenda.peek()) {
      if (!next.isCancelled) return next;
      this.agenda.pop();
    }
    return undefined;
  }
}
