// A member of a consumer group, which never reads through it: only who serves which partition comes of it. While the group
// is being divided anew everybody goes on with what it has; what then is another's is let go of. The other may have begun
// by then, and has fenced this one: that is what keeps them apart.
import type { Served } from '#event-log';
import type { Clock } from '#runtime';
import { type Division, PROTOCOL } from './group-protocol.ts';
import { answerTypeOf } from './kafka-fault.ts';
import { type Broker, GROUP, type TopicPartitions } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';

/** A member that is not heard of for so long is taken for dead. */
const SESSION_TIMEOUT_MS = 6_000;
/** A division waits so long for those who are slow to join it. */
const REBALANCE_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 500;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

/** The group has forgotten this member, which joins as a new one. */
const forgotten: ReadonlySet<string> = new Set(['UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID']);
/** Nothing is wrong: the group is being divided anew. */
const dividing: ReadonlySet<string> = new Set(['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION']);

interface Serving {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface GroupMembershipOptions<Place> {
  readonly leaders: Leaders;
  readonly clock: Clock;
  readonly groupId: string;
  /** What the group divides. */
  readonly division: Division<Place>;
  /** As `Serve`. */
  readonly serve: (place: Place, signal: AbortSignal) => Promise<Served>;
  readonly report: (fault: unknown) => void;
}

/** A `Membership`, where what is divided is partitions of one topic. */
export class GroupMembership<Place extends number | string = number> {
  readonly #options: GroupMembershipOptions<Place>;
  readonly #serving = new Map<Place, Serving>();
  /** What the group has given out to this member. */
  #share: readonly Place[] = [];
  readonly #leaving = new AbortController();
  #memberId = '';
  #generationId = -1;
  #isSettled = false;
  #mustRejoin = false;
  #running: Promise<void> | undefined;
  #left: Promise<void> | undefined;

  constructor(options: GroupMembershipOptions<Place>) {
    this.#options = options;
  }

  get partitions(): readonly Place[] {
    return [...this.#serving.keys()].sort((a, b) => (a < b ? -1 : 1));
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  start(): void {
    this.#running = this.#run();
  }

  leave(): Promise<void> {
    return (this.#left ??= this.#leave());
  }

  /** What is to be divided has changed, as far as this member knows: where it leads the group, it divides it anew. */
  rejoin(): void {
    this.#mustRejoin = true;
  }

  /** Keeps positions for the group. Throws the client's errors, also where the group is being divided anew. */
  async commit(topics: readonly TopicPartitions<{ partition: number; offset: string }>[]): Promise<void> {
    const { groupId } = this.#options;
    const member = { groupGenerationId: this.#generationId, memberId: this.#memberId };
    await (await this.#coordinator()).offsetCommit({ groupId, ...member, topics });
  }

  /** Others are told as soon as nothing is served here, and not before: they need fence nobody then. */
  async #leave(): Promise<void> {
    this.#leaving.abort();
    await Promise.all(this.partitions.map((partition) => this.#stop(partition)));
    const { leaders, groupId } = this.#options;
    try {
      if (this.#memberId !== '') await (await this.#coordinator()).leaveGroup({ groupId, memberId: this.#memberId });
    } catch {
      // The group finds out by itself, a little later.
    }
    await leaders.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { leaders, clock, report } = this.#options;
    const { signal } = this.#leaving;
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        await this.#takePart();
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        const type = answerTypeOf(error) ?? '';
        if (forgotten.has(type)) this.#memberId = '';
        else if (!this.#isLeaving() && !dividing.has(type)) {
          report(error);
          await leaders.recover(error);
        }
        await clock.sleep(retryMs, signal);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
  }

  /** One division of the group: joined, told, and kept up until the next. */
  async #takePart(): Promise<void> {
    const { clock, groupId } = this.#options;
    const { signal } = this.#leaving;
    const coordinator = await this.#coordinator();
    const generationId = await this.#join(coordinator);
    while (!signal.aborted && !this.#mustRejoin) {
      await clock.sleep(HEARTBEAT_MS, signal);
      if (this.#isLeaving()) return;
      try {
        await coordinator.heartbeat({ groupId, groupGenerationId: generationId, memberId: this.#memberId });
      } catch (error) {
        if (dividing.has(answerTypeOf(error) ?? '')) return;
        throw error;
      }
    }
  }

  async #join(coordinator: Broker): Promise<number> {
    const { groupId, division } = this.#options;
    this.#mustRejoin = false;
    const joined = await coordinator.joinGroup({
      groupId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      memberId: this.#memberId,
      groupProtocols: [{ name: PROTOCOL, metadata: division.claim(this.partitions) }],
    });
    const { memberId, generationId, leaderId, members } = joined;
    this.#memberId = memberId;
    const groupAssignment = memberId === leaderId ? division.shares(members) : [];
    const { memberAssignment } = await coordinator.syncGroup({ groupId, generationId, memberId, groupAssignment });
    this.#generationId = generationId;
    this.#serveOnly(division.share(memberAssignment));
    this.#isSettled = true;
    return generationId;
  }

  #serveOnly(share: readonly Place[]): void {
    this.#share = share;
    for (const partition of this.#serving.keys()) {
      if (!share.includes(partition)) void this.#stop(partition);
    }
    for (const partition of share) if (!this.#serving.has(partition)) this.#begin(partition);
  }

  #begin(partition: Place): void {
    if (this.#leaving.signal.aborted) return;
    const stop = new AbortController();
    this.#serving.set(partition, { stop, done: this.#serve(partition, stop) });
  }

  async #serve(partition: Place, stop: AbortController): Promise<void> {
    const served = await this.#options.serve(partition, stop.signal);
    this.#serving.delete(partition);
    if (!this.#share.includes(partition)) return;
    // Somebody else has it, or had it a moment ago: the group says who may.
    if (served === 'fenced') this.#mustRejoin = true;
    // It was given out again before it was let go of.
    else this.#begin(partition);
  }

  async #stop(partition: Place): Promise<void> {
    const serving = this.#serving.get(partition);
    serving?.stop.abort();
    await serving?.done;
  }

  #coordinator(): Promise<Broker> {
    return this.#options.leaders.coordinator(this.#options.groupId, GROUP);
  }

  #isLeaving(): boolean {
    return this.#leaving.signal.aborted;
  }
}
