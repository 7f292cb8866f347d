// So many pieces of work at once of each tenant: what holds a connection of a shared pool must leave others for everybody.
import { Problem } from './problem/problem.ts';

export interface TenantTurnsOptions {
  /** Pieces of work of one tenant that are under way at once. */
  readonly running: number;
  /** How many more may wait for that. */
  readonly waiting: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export class TenantTurns {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly options: TenantTurnsOptions) {}

  /** Does the work once the tenant has a turn, in the order asked. Throws `Problem` where too many wait already. */
  async within<T>(tenant: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(tenant) ?? { running: 0, waiting: [] };
    this.lines.set(tenant, line);
    if (line.running >= this.options.running) await this.wait(line);
    else line.running += 1;
    try {
      return await work();
    } finally {
      this.leave(tenant, line);
    }
  }

  private wait(line: Line): Promise<void> {
    if (line.waiting.length >= this.options.waiting) {
      throw new Problem('tenant-overloaded', 'your tenant asks for too much at once: ask again, and less at once');
    }
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  /** The turn goes to who has waited longest. */
  private leave(tenant: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) this.lines.delete(tenant);
  }
}
