// An agent of the tenant: its card as last read, its names, its tasks, the refusals it was told.
import type { AgentSettings } from '../settings.ts';
import type { Expectation } from './expectation.ts';
import type { Task } from './task.ts';

/** A kind as the card declares it (§6.2). */
export interface DeclaredKind {
  readonly kind: string;
  readonly subjectType: unknown;
}

export class Agent {
  kinds: ReadonlyMap<string, DeclaredKind> = new Map();
  keepsTime = false;
  params: unknown = undefined;
  settings: AgentSettings = {};
  openCount = 0;
  /** What is open, and what is named and not recorded; closed ones are in `ClosedMemory`. */
  readonly names = new Map<string, Expectation>();
  readonly tasks = new Map<string, Task>();
  /** How many refusals it was told of what had no readable id: each is one of its own. */
  namelessCount = 0;
  /** What it was refused, code and content (or the number of the nameless), oldest first. */
  readonly refusals = new Set<string>();

  constructor(
    readonly id: string,
    /** Its place among the tenant's agents. */
    readonly index: number,
  ) {}
}
