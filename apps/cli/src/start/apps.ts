// Which apps start alone, and what each of them needs to.
import type { Role } from '#event-log';

export const appNames = ['intake', 'facts', 'timekeeper', 'dispatcher', 'projector', 'query'] as const;

export type AppName = (typeof appNames)[number];

export interface AppNeeds {
  /** Tables in PostgreSQL. */
  readonly database: boolean;
  /** The key that agents' credentials are sealed with. */
  readonly seal: boolean;
  /** Whose partitions it takes its part of. */
  readonly role?: Role;
}

/** To decide, the timekeeper needs the log alone. */
export const needsOf: Readonly<Record<AppName, AppNeeds>> = {
  intake: { database: true, seal: true, role: 'follower' },
  facts: { database: true, seal: false },
  timekeeper: { database: false, seal: false, role: 'timekeeper' },
  dispatcher: { database: true, seal: true, role: 'dispatcher' },
  projector: { database: true, seal: false, role: 'projector' },
  query: { database: true, seal: false },
};
