// What is passed around while an agent's card is read: whose turn it is, and what was read.

/** The turn to read one card, and to tell the log what it declares. */
export interface CardClaim {
  readonly tenant: string;
  readonly agentId: string;
  readonly revision: string;
  readonly etag?: string;
  /** The log may not know what the card that is kept declares. */
  readonly isUntold: boolean;
  /** Somebody else had it, and may still be at work. */
  readonly isContended: boolean;
}

/** A card that differs from the one before, or the first. */
export interface ReadCard {
  readonly card: unknown;
  readonly declaration: unknown;
  readonly findings: unknown;
  /** Against the card before; absent for the first. */
  readonly changes?: unknown;
  readonly etag?: string;
  /** When to read it next. */
  readonly periodSeconds: number;
}

/** An instant of the database's so many seconds ahead, and up to a tenth later: replicas and restarts make no herd. */
export function afterSeconds(seconds: string): string {
  return `now() + ${seconds}::double precision * interval '1 second' * (1 + 0.1 * random())`;
}

/** A claim outlives whatever is done under it. */
export const claimTime = `interval '2 minutes'`;
