// What the watcher has seen by itself, passing by or asking the agent: to the log, where it concerns the watcher at all.
// It must never count a client's words without knowing who the client is.
import { Inject, Injectable } from '@nestjs/common';
import type { UntimedInput } from '#event-log';
import { plausibleAround, type Principal, readObservation, roleName, type StreamPart } from '#protocol';
import { CLOCK, type Clock, Problem } from '#runtime';
import { isImplausible, Quarantine, Writes } from '#writes';

/** One member of A2A's StreamResponse as it came, of 1.0 or 0.3. */
export type Seen = StreamPart;

export interface SightingOptions {
  /** False where the request that brought it had not activated the extension (§7). */
  readonly activated?: boolean;
  /** Who the client is; without it no client's message counts. */
  readonly client?: Principal;
  /** What the watcher itself concluded from it, in front of what was seen: an answer that was accepted (§11). */
  readonly first?: readonly UntimedInput[];
}

/** Whose word counts where nobody's does: such a message is left out before it is asked. */
const nobody: Principal = { name: '', sources: [] };

@Injectable()
export class Sightings {
  constructor(
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Appends what of it concerns the watcher, in one go; resolves once that is durable, to whether there was anything.
   * What cannot be read as A2A says nothing. Throws `LogUnavailableError`, after which it may be in the log or not, and
   * `Problem` (`tenant-overloaded`) while too much of the tenant is not decided yet.
   */
  async tell(
    tenant: string,
    agentId: string,
    seen: readonly Seen[],
    { activated, client, first = [] }: SightingOptions = {},
  ): Promise<boolean> {
    const plausible = plausibleAround(this.clock.now());
    const options = { plausible, ...(activated !== undefined && { activated }) };
    const inputs: UntimedInput[] = [...first];
    for (const one of seen) {
      if (client === undefined && isOfClient(one)) continue;
      const read = readObservation({ agentId, ...one }, client ?? nobody, options);
      if (!read.ok) continue;
      await this.quarantine.keep(tenant, [...read.keptOut, ...read.facts.filter(isImplausible)]);
      inputs.push(...read.inputs);
    }
    return this.append(tenant, inputs);
  }

  /** Appends inputs; as `tell`. */
  async append(tenant: string, inputs: readonly UntimedInput[]): Promise<boolean> {
    if (inputs.length === 0) return false;
    if (await this.writes.tell(tenant, inputs)) return true;
    throw new Problem('tenant-overloaded', 'too much that was seen of your agents is not decided yet: send it again');
  }
}

function isOfClient(seen: Seen): boolean {
  if (!('message' in seen)) return false;
  const { message } = seen;
  return (
    roleName(typeof message === 'object' && message !== null && 'role' in message ? message.role : undefined) !==
    'ROLE_AGENT'
  );
}
