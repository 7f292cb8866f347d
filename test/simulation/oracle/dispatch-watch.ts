// Watches what is sent to agents, against what the ledger has at that moment: leave given, not taken back long ago, the
// lapse as recorded. And at the end: each lapse that was to reach its agent has, or is void.
import type { Event, ExpectationLapsed } from '#expectations';
import { type LapseRequest, REFUSALS_KEY, type RefusalsRequest } from '#protocol';
import type { Agents, SendWitness } from '../agents.ts';
import { SimulationFailure } from '../simulation-failure.ts';
import type { World } from '../world.ts';

interface LapseFate {
  readonly tenant: string;
  readonly lapsed: ExpectationLapsed;
  isGranted: boolean;
  isAcknowledged: boolean;
  /** When the ledger had it closed, in active time. */
  voidedAtMs: number | undefined;
}

/**
 * A dispatcher that reads the ledger's end right before it sends takes a while from there to the send itself: some calls,
 * each as slow as they come, and nothing that only a leap could have made late.
 */
const CALLS_BEFORE_A_SEND = 24;

export class DispatchWatch implements SendWitness {
  private readonly fates = new Map<string, LapseFate>();
  /** How often each refusal may still be told. */
  private readonly untold = new Map<string, number>();
  /** How often the ledger has reported each. */
  private readonly reported = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly agents: Agents,
  ) {}

  get lapseCount(): number {
    return this.fates.size;
  }

  /** What the ledger has taken of a tenant. */
  decided(tenant: string, event: Event): void {
    if (event.type === 'expectationLapsed') {
      const fresh = { isGranted: false, isAcknowledged: false, voidedAtMs: undefined };
      this.fates.set(keyOf(tenant, event, event.lapse.lapse), { tenant, lapsed: event, ...fresh });
      // An id that was forgotten may be used again, down to the message's id.
      this.agents.of(tenant, event.agentId).mayHave.delete(event.messageId);
      return;
    }
    if (event.type === 'expectationRefused' && event.reported) {
      const key = refusalKeyOf(tenant, event.agentId, event);
      this.reported.set(key, (this.reported.get(key) ?? 0) + 1);
      this.mayTell(tenant, event.agentId, event, 1);
    }
    if (!('lapse' in event)) return;
    const fate = this.fates.get(keyOf(tenant, event, event.lapse));
    if (fate === undefined) return;
    if (event.type === 'dispatchAttempted') fate.isGranted = true;
    if (event.type === 'dispatchAcknowledged') fate.isAcknowledged = true;
    if (event.type === 'dispatchVoided' && (event.cause === 'satisfied' || event.cause === 'withdrawn')) {
      fate.voidedAtMs ??= this.world.activeMs;
    }
  }

  /** Something is about to leave for an agent. */
  sending(tenant: string, agentId: string, { message }: LapseRequest): void {
    const block = Object.values(message.metadata)[0]?.lapse;
    const fate = block && this.fates.get(keyOf(tenant, { agentId, expectationId: block.expectationId }, block.lapse));
    if (fate === undefined) return this.world.fail(`${message.messageId} is sent, and the ledger knows no such lapse`);
    const { lapsed, isGranted, voidedAtMs } = fate;
    if (message.messageId !== lapsed.messageId) {
      this.world.fail(`${lapsed.messageId} is sent as ${message.messageId}`);
    }
    if (lapsed.selfTimed) this.world.fail(`${message.messageId} is sent to an agent that keeps its own time`);
    if (!isGranted) this.world.fail(`${message.messageId} is sent before the ledger has given leave`);
    const { slowMs, quickMs, slowRate } = this.world.swarm;
    const longestMs = CALLS_BEFORE_A_SEND * (slowRate > 0 ? slowMs : quickMs + 1);
    if (voidedAtMs !== undefined && this.world.activeMs - voidedAtMs > longestMs) {
      this.world.fail(`${message.messageId} is sent ${this.world.activeMs - voidedAtMs} ms after it was void`);
    }
  }

  /** Refusals are about to leave for an agent. */
  telling(tenant: string, agentId: string, { message }: RefusalsRequest): void {
    for (const refusal of message.metadata[REFUSALS_KEY]) {
      if (this.mayTell(tenant, agentId, refusal, -1) < 0) {
        this.world.fail(`${message.messageId} tells of what was not refused, or told already: ${refusal.message}`);
      }
    }
  }

  /** Certainly not; they may be told again. */
  notTold(tenant: string, agentId: string, { message }: RefusalsRequest): void {
    for (const refusal of message.metadata[REFUSALS_KEY]) this.mayTell(tenant, agentId, refusal, 1);
  }

  /** What was told and does not stand in the ledger as told yet may be told again. */
  tablesLost(): void {
    for (const [key, count] of this.reported) this.untold.set(key, count);
  }

  private mayTell(tenant: string, agentId: string, refusal: Refused, more: number): number {
    const key = refusalKeyOf(tenant, agentId, refusal);
    const count = (this.untold.get(key) ?? 0) + more;
    this.untold.set(key, count);
    return count;
  }

  /** The lapses that neither have reached their agent nor are void. */
  outstanding(): string[] {
    return [...this.fates.values()].flatMap(({ lapsed, isAcknowledged, voidedAtMs }) =>
      lapsed.selfTimed || isAcknowledged || voidedAtMs !== undefined ? [] : [lapsed.messageId],
    );
  }

  /** Once all is done: what the ledger calls acknowledged is with its agent. */
  checkReceived(): void {
    for (const { tenant, lapsed, isAcknowledged } of this.fates.values()) {
      const agent = this.agents.of(tenant, lapsed.agentId);
      if (isAcknowledged && !agent.received.has(lapsed.messageId)) {
        throw new SimulationFailure(`${lapsed.messageId} is acknowledged in the ledger, and its agent has none of it`);
      }
    }
  }
}

interface Refused {
  readonly taskId: string;
  readonly expectationId: string | null;
  readonly code: string;
  readonly message: string;
}

function refusalKeyOf(tenant: string, agentId: string, refusal: Refused): string {
  return JSON.stringify([tenant, agentId, refusal.taskId, refusal.expectationId, refusal.code, refusal.message]);
}

type OfExpectation = { readonly agentId: string; readonly expectationId: string };

function keyOf(tenant: string, { agentId, expectationId }: OfExpectation, lapse: string): string {
  return JSON.stringify([tenant, agentId, expectationId, lapse]);
}
