// One partition's following, until it is let go of: which of its tenants have tasks to follow, and each of them in turn.
import { setMaxListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { waitMs } from '#runtime';
import type { AgentFollower } from './agent-follower.ts';
import type { FollowPorts } from './follow-ports.ts';
import { isOwnFault } from './own-fault.ts';
import { TenantFollower } from './tenant-follower.ts';

/** Looking takes so much of the time at most. */
const looksShare = 0.1;
const faultWaits = { baseMs: 1_000, capMs: 15_000 };

export interface PartitionFollowerParts {
  readonly ports: FollowPorts;
  /** The tenants of the partition that have tasks to follow. */
  readonly tenants: () => Promise<readonly string[]>;
}

export class PartitionFollower {
  private readonly logger = new Logger('Follower');
  private readonly followers = new Map<string, TenantFollower>();

  constructor(private readonly parts: PartitionFollowerParts) {}

  get agents(): readonly AgentFollower[] {
    return [...this.followers.values()].flatMap(({ agents }) => agents);
  }

  /** Follows until the signal aborts, and lets go of all. Throws bugs. */
  async run(signal: AbortSignal): Promise<void> {
    // As many agents as there are wait for it.
    setMaxListeners(0, signal);
    const { clock, options, random } = this.parts.ports;
    let faultsCount = 0;
    while (!signal.aborted) {
      const beganAtMs = clock.now();
      try {
        await this.look(signal);
        faultsCount = 0;
      } catch (error) {
        if (!isOwnFault(error)) throw error;
        faultsCount += 1;
        this.logger.warn(`what is to be followed is not known: ${error instanceof Error ? error.message : ''}`);
        await clock.sleep(waitMs(faultsCount, faultWaits, random), signal);
        continue;
      }
      const tookMs = clock.now() - beganAtMs;
      await clock.sleep(Math.max(options.lookEveryMs, tookMs / looksShare), signal);
    }
    await Promise.all([...this.followers.values()].map((follower) => follower.done()));
  }

  private async look(signal: AbortSignal): Promise<void> {
    const tenants = new Set(await this.parts.tenants());
    for (const [tenant, follower] of this.followers) {
      if (tenants.has(tenant)) continue;
      this.followers.delete(tenant);
      await follower.end();
    }
    for (const tenant of tenants) {
      if (signal.aborted) return;
      await this.followerOf(tenant, signal).look();
    }
  }

  private followerOf(tenant: string, signal: AbortSignal): TenantFollower {
    const follower = this.followers.get(tenant) ?? new TenantFollower(tenant, this.parts.ports, signal);
    this.followers.set(tenant, follower);
    return follower;
  }
}
