// Follows the tasks on which something still depends at the agents that have them, of each partition that is this process's,
// and tells the log what becomes of them. That two follow one is harmless: what is told twice is decided as a repeat.
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { type EventLog, partitionOf, type Served } from '#event-log';
import type { TaskReader } from '#protocol';
import { AwaitedTasks, READ_MODEL_FOR_QUESTIONS } from '#read-model';
import {
  AgentDirectory,
  AgentTroubles,
  CLOCK,
  type Clock,
  EVENT_LOG,
  RANDOM,
  type Random,
  TenantShares,
} from '#runtime';
import { orEndProcess } from '#serving';
import { PushSubscriptions } from '../push/push-subscriptions.ts';
import { Sightings } from '../sightings.ts';
import type { AgentFollower } from './agent-follower.ts';
import { CallTurns } from './call-turns.ts';
import type { FollowPorts } from './follow-ports.ts';
import { defaultFollowerOptions, FOLLOWER_OPTIONS, type FollowerOptions } from './follower-options.ts';
import { PartitionFollower } from './partition-follower.ts';

/** The injection token of a `TaskReader` (`#protocol`). */
export const TASK_READER = Symbol('TaskReader');

/** Calls to agents that are under way at once, and how many of them one tenant's. */
const calls = { all: 64, perTenant: 16 };
/** Streams of the process, and of one tenant. */
const streams = { allCount: 2_000, tenantCount: 500, allBytes: Infinity, tenantBytes: Infinity };
const oldEveryMs = 3_600_000;

@Injectable()
export class Follower {
  private readonly ports: FollowPorts;
  private readonly serving = new Set<PartitionFollower>();
  private listed: { readonly tenants: Promise<readonly string[]>; readonly atMs: number } | undefined;
  private endedOldAtMs = -Infinity;

  constructor(
    @Inject(EVENT_LOG) private readonly log: EventLog,
    @Inject(READ_MODEL_FOR_QUESTIONS) readModel: DataSource,
    @Inject(TASK_READER) reader: TaskReader,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RANDOM) random: Random,
    directory: AgentDirectory,
    sightings: Sightings,
    private readonly subscriptions: PushSubscriptions,
    private readonly troubles: AgentTroubles,
    @Optional() @Inject(FOLLOWER_OPTIONS) options: Partial<FollowerOptions> = {},
  ) {
    this.ports = {
      ...{ reader, directory, sightings, subscriptions, troubles, clock, random },
      awaited: new AwaitedTasks(readModel),
      options: { ...defaultFollowerOptions, ...options },
      turns: new CallTurns(calls),
      streams: new TenantShares(streams),
    };
  }

  /** The agents whose tasks this process follows. */
  get agents(): readonly AgentFollower[] {
    return [...this.serving].flatMap(({ agents }) => agents);
  }

  /** Serves a partition until `signal` aborts. Never rejects (`Serve`): a bug ends the process. */
  async serve(partition: number, signal: AbortSignal): Promise<Served> {
    const follower = new PartitionFollower({ ports: this.ports, tenants: () => this.tenantsOf(partition) });
    this.serving.add(follower);
    try {
      await orEndProcess(follower.run(signal));
      return 'left';
    } finally {
      this.serving.delete(follower);
    }
  }

  private async tenantsOf(partition: number): Promise<readonly string[]> {
    const { partitionCount } = this.log;
    return (await this.tenants()).filter((tenant) => partitionOf(tenant, partitionCount) === partition);
  }

  /** All partitions of the process ask at about the same time: they are told from one look. */
  private tenants(): Promise<readonly string[]> {
    const nowMs = this.clock.now();
    if (this.listed === undefined || nowMs - this.listed.atMs >= this.ports.options.lookEveryMs / 2) {
      this.listed = { tenants: this.listTenants(nowMs), atMs: nowMs };
    }
    return this.listed.tenants;
  }

  private async listTenants(nowMs: number): Promise<readonly string[]> {
    const isToEndOld = nowMs - this.endedOldAtMs >= oldEveryMs;
    if (isToEndOld) await this.subscriptions.endOld();
    const tenants = await this.ports.awaited.tenants();
    if (isToEndOld) {
      await this.troubles.followedButOf(tenants);
      this.endedOldAtMs = nowMs;
    }
    return tenants;
  }
}
