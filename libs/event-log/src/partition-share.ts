// Which partitions a process serves, of those that several of its kind share. It is a hint of who should work, never
// what keeps two apart: a replica that was paused may believe what is no longer so, and is fenced by what it writes to.

/** Of each, any number of processes share the partitions of the log. */
export type Role = 'timekeeper' | 'dispatcher' | 'projector' | 'follower';

/** `left`: the partition was given up because the signal aborted. `fenced`: another serves it already. */
export type Served = 'left' | 'fenced';

/**
 * Serves one partition until `signal` aborts, and then lets go of it soon. Must not reject: what a process cannot go on
 * after is the business of whoever serves.
 */
export type Serve = (partition: number, signal: AbortSignal) => Promise<Served>;

/** This process's part in a role. */
export interface Membership {
  /** The partitions that are this process's to serve at the moment, in ascending order. */
  readonly partitions: readonly number[];
  /** True once it is known which partitions are this process's, be it none. */
  readonly isSettled: boolean;
  /** Lets go of every partition, and then tells the others at once. Resolves when all is let go of. */
  leave(): Promise<void>;
}

/** The port: in one process everything is its own (`SoleShare`); on Kafka a consumer group divides it. */
export interface PartitionShare {
  /**
   * Begins to serve: `serve` is called for each partition that becomes this process's, once at a time for each. After
   * `fenced` the partition is served again only when it has been given out anew.
   */
  join(role: Role, serve: Serve): Membership;
}
