// How many calls to agents are under way at once: of the process, and of one tenant, the tenants in rotation. A tenant whose
// agents do not answer waits for itself, and leaves room for all others.

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

export interface CallTurnsOptions {
  readonly all: number;
  readonly perTenant: number;
}

export class CallTurns {
  private running = 0;
  /** In the order of rotation: who was let in last stands last. */
  private readonly lines = new Map<string, Line>();

  constructor(private readonly options: CallTurnsOptions) {}

  /** Does the work once it is the tenant's turn, or not at all where the signal aborts first: then undefined. */
  async within<T>(tenant: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    if (signal.aborted) return undefined;
    const line = this.lines.get(tenant) ?? { running: 0, waiting: new Set() };
    this.lines.set(tenant, line);
    if (this.running < this.options.all && line.running < this.options.perTenant) this.enter(tenant, line);
    else if (!(await turn(line, signal))) return undefined;
    try {
      return await work();
    } finally {
      this.leave(tenant, line);
    }
  }

  private enter(tenant: string, line: Line): void {
    this.running += 1;
    line.running += 1;
    this.lines.delete(tenant);
    this.lines.set(tenant, line);
  }

  private leave(tenant: string, line: Line): void {
    this.running -= 1;
    line.running -= 1;
    this.lines.delete(tenant);
    if (line.running > 0 || line.waiting.size > 0) this.lines.set(tenant, line);
    for (const [next, other] of this.lines) {
      const [come] = other.waiting;
      if (come === undefined || other.running >= this.options.perTenant) continue;
      this.enter(next, other);
      come();
      return;
    }
  }
}

/** True once the turn has come, false where the signal aborts first. */
function turn({ waiting }: Line, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasCome: boolean): void => {
      waiting.delete(come);
      signal.removeEventListener('abort', giveUp);
      resolve(hasCome);
    };
    const come = (): void => end(true);
    const giveUp = (): void => end(false);
    waiting.add(come);
    signal.addEventListener('abort', giveUp);
  });
}
