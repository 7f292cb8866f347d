// Whether an agent can be asked now, and how: its card and credential as kept, and how it has answered. One that does not
// answer is asked ever more rarely, and by one question at a time.
import { type AgentCapabilities, type AgentTarget, readCapabilities, type TaskReadError } from '#protocol';
import { SealBrokenError, waitMs } from '#runtime';
import type { FollowedAgentName, FollowPorts } from './follow-ports.ts';
import { certainCount, type NoAnswer, noAnswer } from './no-answer.ts';

/** How old what is known of where an agent is may be. */
const addressAgeMs = 60_000;
/** After so long an agent is asked again for what it said it does not do. */
const triedAgainMs = 3_600_000;

export interface Access {
  readonly target: AgentTarget;
  readonly capabilities: AgentCapabilities;
}

export class AgentAccess {
  /** Nobody asks before. */
  notBeforeMs = 0;
  private failuresCount = 0;
  private fault: NoAnswer | undefined;
  private sealFault: NoAnswer | undefined;
  private access: Access | undefined;
  private accessAtMs = -Infinity;
  private readonly undone = new Map<'list' | 'push', number>();

  constructor(
    private readonly name: FollowedAgentName,
    private readonly ports: FollowPorts,
  ) {}

  /** It did not answer when it was asked last. */
  get isFailing(): boolean {
    return this.failuresCount > 0;
  }

  /** Why it does not answer, again and again, or cannot be asked; undefined where it does, or that is not certain. */
  get trouble(): NoAnswer | undefined {
    return this.sealFault ?? (this.failuresCount >= certainCount ? this.fault : undefined);
  }

  /** Undefined where it is not registered. Throws what the directory throws. */
  async find(): Promise<Access | undefined> {
    const { clock } = this.ports;
    if (this.access !== undefined && clock.now() - this.accessAtMs < addressAgeMs) return this.access;
    const target = await this.target();
    this.access = target && { target, capabilities: readCapabilities(target.card) };
    this.accessAtMs = clock.now();
    return this.access;
  }

  /** It has answered, whatever. */
  answered(): void {
    this.failuresCount = 0;
  }

  /** It has not. What failed at about the same time counts once. */
  failed(error: TaskReadError): void {
    const { clock, options, random } = this.ports;
    const nowMs = clock.now();
    this.fault = noAnswer(error);
    if (this.isFailing && nowMs < this.notBeforeMs) return;
    this.failuresCount += 1;
    this.notBeforeMs = nowMs + waitMs(this.failuresCount, options.failure, random, error.retryAfterMs);
  }

  /** What the agent has no part in stands in the way. */
  wait(durationMs: number): void {
    this.notBeforeMs = Math.max(this.notBeforeMs, this.ports.clock.now() + durationMs);
  }

  /** Whether it is worth asking it for a list, or to push. */
  does(what: 'list' | 'push'): boolean {
    const sinceMs = this.undone.get(what);
    return sinceMs === undefined || this.ports.clock.now() - sinceMs > triedAgainMs;
  }

  /** It said that it does not do it. */
  doesNot(what: 'list' | 'push'): void {
    this.undone.set(what, this.ports.clock.now());
  }

  private async target(): Promise<AgentTarget | undefined> {
    try {
      const target = await this.ports.directory.find(this.name.tenant, this.name.agentId);
      this.sealFault = undefined;
      return target;
    } catch (error) {
      if (error instanceof SealBrokenError) {
        this.sealFault = { cause: 'credentialUnreadable', message: error.message };
      }
      throw error;
    }
  }
}
