// What a deployment, or a test, may set of the follower.
import type { BackoffBounds, Config } from '#runtime';

/** The injection token of `Partial<FollowerOptions>`; optional. */
export const FOLLOWER_OPTIONS = Symbol('FollowerOptions');

export interface FollowerOptions {
  /** Between two looks at which tasks are to be followed. */
  readonly lookEveryMs: number;
  /** A task that anybody saw within so long is not asked for. */
  readonly unseenMs: number;
  /** Between two looks at one task: the first after news, the most while nothing changes. */
  readonly poll: BackoffBounds;
  /** Before a stream is opened again that has ended. */
  readonly reconnect: BackoffBounds;
  /** Before an agent is called again that did not answer. */
  readonly failure: BackoffBounds;
  /** Between two looks at a task that the agent sends of by itself: it tries once, and we may have been away. */
  readonly netEveryMs: number;
  /** Between two looks at a task that its agent does not know any more. */
  readonly lostEveryMs: number;
  /** A stream that has said nothing for so long is opened anew: nobody says when a connection has died. */
  readonly streamIdleMs: number;
  readonly streamsPerAgent: number;
  /** With so many tasks of one agent, or fewer, each is asked for by itself. */
  readonly singlesCount: number;
  /** Tasks of one tenant that are followed at a time in one partition; where there are more they take turns. */
  readonly tasksPerTenant: number;
  /** Between two words on what cannot be followed of one agent. */
  readonly troubleEveryMs: number;
  /** Where agents reach this deployment; without it none is asked to send anything. */
  readonly publicUrl?: string;
}

export const defaultFollowerOptions: FollowerOptions = {
  lookEveryMs: 3_000,
  unseenMs: 15_000,
  poll: { baseMs: 30_000, capMs: 600_000 },
  reconnect: { baseMs: 1_000, capMs: 600_000 },
  failure: { baseMs: 2_000, capMs: 600_000 },
  netEveryMs: 600_000,
  lostEveryMs: 3_600_000,
  streamIdleMs: 600_000,
  streamsPerAgent: 100,
  singlesCount: 5,
  tasksPerTenant: 5_000,
  troubleEveryMs: 15_000,
};

/** As the process is configured. */
export function followerOptions({ followStreams, publicUrl }: Config): Partial<FollowerOptions> {
  return { streamsPerAgent: followStreams, ...(publicUrl !== undefined && { publicUrl }) };
}
