// Seeds run by the simulation's program in processes of their own, with a fault planted or none; for suites of jest, whose
// modules would take several times as long.
import { spawnNode, type Spawned } from '#runtime';
import type { Mutant } from '../mutants/mutant.ts';
import { tightLimits } from './limits.ts';
import { plantTree, type Tree } from './tree.ts';

/** What the program says of a seed. */
export interface SeedReport {
  readonly seed: number;
  readonly digest: string;
  readonly failure?: string;
  readonly traceEnd?: readonly string[];
}

const PROGRAM_COUNT = 2;

export class SeedRun {
  private readonly tree: Tree;
  private readonly programs: readonly Spawned[];
  private readonly reports: SeedReport[] = [];
  private changed = (): void => undefined;
  private runningCount: number;

  /** Begins at once. Needs the database server of a jest run, and dist/ as built. */
  constructor(seeds: readonly number[], planted: readonly Mutant[] = []) {
    this.tree = plantTree([...tightLimits, ...planted]);
    const shares = Array.from({ length: PROGRAM_COUNT }, (_, share) =>
      seeds.filter((_seed, nth) => nth % PROGRAM_COUNT === share),
    ).filter(({ length }) => length > 0);
    this.runningCount = shares.length;
    this.programs = shares.map((share) => {
      const parameters = ['--json', '--keep-going', '--seeds', share.join()];
      const program = spawnNode(this.tree.main, parameters, (line) => this.told(line));
      void program.ended.finally(() => {
        this.runningCount -= 1;
        this.changed();
      });
      return program;
    });
  }

  /** How a seed went, once it is done. */
  async reportOf(seed: number): Promise<SeedReport> {
    const report = await this.until(() => this.reports.find((one) => one.seed === seed));
    if (report === undefined) throw new Error(`the simulation ended without a word of seed ${seed}`);
    return report;
  }

  /** The first that failed, once there is one; undefined where none did. */
  firstFailure(): Promise<SeedReport | undefined> {
    return this.until(() => this.reports.find(({ failure }) => failure !== undefined));
  }

  async end(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.stop(0)));
    this.tree.remove();
  }

  private told(line: string): void {
    this.reports.push(JSON.parse(line) as SeedReport);
    this.changed();
  }

  private async until<T>(look: () => T | undefined): Promise<T | undefined> {
    for (;;) {
      const found = look();
      if (found !== undefined || this.runningCount === 0) return found;
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
  }
}

/** A failed seed for a person: what failed, how to repeat it, and what happened last. */
export function describeSeed({ seed, failure, traceEnd = [] }: SeedReport): string {
  return `seed ${seed}: ${failure ?? 'went well'}\nRepeat it: npm run test:simulation -- --seed ${seed}\n${traceEnd.join('\n')}`;
}
