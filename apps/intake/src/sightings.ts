// What the watcher has seen by itself, passing by or asking the agent: to the log, where it concerns the watcher at all.
// It must never count a client's words without knowing who the client is.
import { Inject, Injectable } from '@nestjs/common';
import type { UntimedInput } from '#event-log';
import { plausibleAround, type Principal, readObservation, roleName, type StreamPart } from '#protocol';
import { CLOCK, type Clock, Problem } from '#runtime';
import { isImplausible, Quarantine, Writes } from '#writes';
import { type Asking, StateOrder } from './state-order.ts';

/** One member of A2A's StreamResponse as it came, of 1.0 or 0.3. */
export type Seen = StreamPart;

export interface SightingOptions {
  /** False where the request that brought it had not activated the extension (§7). */
  readonly activated?: boolean;
  /** Who the client is; without it no client's message counts. */
  readonly client?: Principal;
  /** What the watcher itself concluded from it, in front of what was seen: an answer that was accepted (§11). */
  readonly first?: readonly UntimedInput[];
  /** By what it was asked for (`ask`); without it, it is taken as the newest. */
  readonly asking?: Asking;
}

/** `overtaken`: it was told but for a state that may be older than a question: that is to be asked for again. */
export type Telling = 'nothing' | 'told' | 'overtaken';

/** Whose word counts where nobody's does: such a message is left out before it is asked. */
const nobody: Principal = { name: '', sources: [] };

@Injectable()
export class Sightings {
  private readonly order = new StateOrder();

  constructor(
    private readonly writes: Writes,
    private readonly quarantine: Quarantine,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** To be called before an agent is asked for what is then told. */
  ask(): Asking {
    return this.order.ask();
  }

  /**
   * Appends what of it concerns the watcher, in one go; resolves once that is durable, to whether there was anything.
   * What cannot be read as A2A says nothing. Throws `LogUnavailableError`, after which it may be in the log or not, and
   * `Problem` (`tenant-overloaded`) while too much of the tenant is not decided yet.
   */
  async tell(
    tenant: string,
    agentId: string,
    seen: readonly Seen[],
    { activated, client, first = [], asking = this.ask() }: SightingOptions = {},
  ): Promise<Telling> {
    const plausible = plausibleAround(this.clock.now());
    const options = { plausible, ...(activated !== undefined && { activated }) };
    const told = seen
      .filter((one) => client !== undefined || !isOfClient(one))
      .map((one) => readObservation({ agentId, ...one }, client ?? nobody, options))
      .flatMap((read) => (read.ok ? [read] : []));
    const inputs = told.flatMap((read) => read.inputs);
    // Before anything is waited for: whoever tells an older state meanwhile is to know.
    const places = inputs.map((input) =>
      input.type === 'statusObserved' ? this.order.note(tenant, input, asking) : 0,
    );
    for (const read of told) {
      await this.quarantine.keep(tenant, [...read.keptOut, ...read.facts.filter(isImplausible)]);
    }
    let overtakenCount = 0;
    const kept = inputs.flatMap((input, index): readonly UntimedInput[] => {
      const isOvertaken = input.type === 'statusObserved' && this.order.isOvertaken(tenant, input, places[index] ?? 0);
      if (!isOvertaken) return [input];
      overtakenCount += 1;
      return input.message === undefined ? [] : [{ ...input, state: null }];
    });
    await this.append(tenant, [...first, ...kept]);
    if (overtakenCount > 0) return 'overtaken';
    return first.length + inputs.length === 0 ? 'nothing' : 'told';
  }

  private async append(tenant: string, inputs: readonly UntimedInput[]): Promise<void> {
    if (inputs.length === 0 || (await this.writes.tell(tenant, inputs))) return;
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
