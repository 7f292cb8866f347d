// What following stands on, shared by all partitions, tenants and agents of the process.
import type { AgentTarget, TaskReader } from '#protocol';
import type { AgentTroubles, Clock, Random, TenantShares } from '#runtime';
import type { AwaitedTasks } from '#read-model';
import type { PushSubscriptions } from '../push/push-subscriptions.ts';
import type { Sightings } from '../sightings.ts';
import type { CallTurns } from './call-turns.ts';
import type { FollowerOptions } from './follower-options.ts';

export interface FollowPorts {
  readonly awaited: AwaitedTasks;
  readonly reader: TaskReader;
  /** Where and how an agent is called; undefined where the tenant has no such agent. */
  readonly directory: { find(tenant: string, agentId: string): Promise<AgentTarget | undefined> };
  readonly sightings: Pick<Sightings, 'ask' | 'tell'>;
  readonly subscriptions: PushSubscriptions;
  /** Told what cannot be followed. */
  readonly troubles: Pick<AgentTroubles, 'unfollowed' | 'followed' | 'followedBut' | 'followedButOf'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: FollowerOptions;
  /** Of calls that are answered soon. */
  readonly turns: CallTurns;
  /** Of streams, which stay. */
  readonly streams: TenantShares;
}

/** An agent of a tenant. */
export interface FollowedAgentName {
  readonly tenant: string;
  readonly agentId: string;
}
