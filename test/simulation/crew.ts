// Who runs: of each role so many instances, started again a while after they have ended, however they have.
import { Instance } from './instance.ts';
import type { World } from './world.ts';

/** What an instance of a role does until it is asked to stop, or has nothing more to do. Throws what a bug throws. */
export type Work = (instance: Instance) => Promise<void>;

const LONGEST_PAUSE_MS = 12_000;

export class Crew {
  private readonly running = new Set<Instance>();
  private startedCount = 0;
  private isRestartDue = false;

  constructor(
    private readonly world: World,
    readonly role: string,
    public wantedCount: number,
    private readonly work: Work,
  ) {
    world.onDeath.push((instance) => {
      if (this.running.delete(instance)) this.startLater();
    });
  }

  get instances(): readonly Instance[] {
    return [...this.running];
  }

  /** Starts what is missing, at once. */
  start(): void {
    while (this.running.size < this.wantedCount) this.startOne();
  }

  /** One more than wanted, for as long as it lasts. */
  startOne(): void {
    this.startedCount += 1;
    const instance = new Instance(this.world, `${this.role}#${this.startedCount}`);
    if (this.world.swarm.hasClockSteps) instance.skewMs = this.world.chance.between(-25_000, 25_000);
    this.running.add(instance);
    this.world.note(`${instance.name} starts`);
    this.work(instance).then(
      () => this.ended(instance),
      (error: unknown) => {
        // What the dead throw is heard by nobody.
        if (!instance.isAlive) return;
        this.world.fail(`${instance.name} has met a bug: ${String(error)}`, error);
      },
    );
  }

  private ended(instance: Instance): void {
    if (!instance.isAlive) return;
    this.world.note(`${instance.name} has ended`);
    instance.isAlive = false;
    instance.dying.abort();
    this.running.delete(instance);
    this.startLater();
  }

  private startLater(): void {
    if (this.isRestartDue || this.wantedCount === 0) return;
    this.isRestartDue = true;
    this.world.after(this.world.chance.below(LONGEST_PAUSE_MS), `${this.role} is started again`, () => {
      this.isRestartDue = false;
      this.start();
    });
  }
}

/** Resolves once the instance is asked to stop. */
export function askedToStop({ stopping: { signal } }: Instance): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
