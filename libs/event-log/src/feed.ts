// Feeds: topics beside the log's own, in which others write what happened. A record is read at least once, in the order of
// its partition; which have been reported is kept where the topics are. The port must never look into a record.

/** A record of a feed. */
export interface FeedRecord {
  readonly offset: number;
  /** As it is stamped, by whoever wrote it or by the broker, in epoch milliseconds. */
  readonly stampedAt: number;
  /** Null where there is none. */
  readonly value: Uint8Array | null;
  /** Why nothing from `offset` to `lastOffset` can be read; `value` is null then. */
  readonly unreadable?: { readonly lastOffset: number; readonly reason: string };
}

/** What comes next in a partition. */
export interface FeedRun {
  /** In order; none where all that was read is no record. */
  readonly records: readonly FeedRecord[];
  /** Everything before is in `records`, or is nothing. */
  readonly next: number;
  /** Where the partition ended when it was read. */
  readonly end: number;
}

/** Where something of a feed stands that was not reported, and why. It holds nothing of what is there. */
export interface ParkedRecord {
  readonly offset: number;
  /** Of several that go together, the last; absent for one alone. */
  readonly lastOffset?: number;
  readonly reason: string;
  readonly message: string;
}

/** A partition of a feed that is this process's. */
export interface FeedPartition {
  readonly topic: string;
  readonly partition: number;
  /** From the topic's name. */
  readonly tenant: string;
  /** Aborts when the partition is to be let go of: what is under way is finished, and nothing more begun. */
  readonly signal: AbortSignal;
  /**
   * What comes next; waits until there is something. Undefined once the partition is not to be read on. What was read
   * before counts as no longer held, so it is to be called only when that is reported. Never rejects.
   */
  read(): Promise<FeedRun | undefined>;
  /** Resolves once the places are durable. Throws `LogUnavailableError`. */
  park(parked: readonly ParkedRecord[]): Promise<void>;
  /** Everything before is reported, durably; where the process is started again it goes on from about there. */
  reported(next: number): void;
}

/** Reads one partition until `read` says that it is over. Must not reject. */
export type ServeFeed = (feed: FeedPartition) => Promise<void>;

/** This process's part in reading the feeds. */
export interface FeedMembership {
  /** Lets go of every partition once what is under way in it is reported, and then tells the others at once. */
  leave(): Promise<void>;
}

export interface FeedsOptions {
  readonly serve: ServeFeed;
  /** The tenants that there are: no other's topic is read. Where it rejects, those that are known stay so. */
  readonly tenants: () => Promise<ReadonlySet<string>>;
  /** Told which topics are not read because there is no such tenant, whenever that changes. */
  readonly waiting: (topics: readonly string[]) => void;
}

/** The port: any number of processes of a deployment share the partitions of all feeds. */
export interface Feeds {
  join(options: FeedsOptions): FeedMembership;
}
