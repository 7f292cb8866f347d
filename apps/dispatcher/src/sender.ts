// Brings one lapse a step further: asks leave, sends, or looks for what may have been sent.
// It must never send what the ledger, read to its end, has voided; nor again what may be with the agent, unless the
// agent cannot tell.
import { Logger } from '@nestjs/common';
import {
  type AgentMessenger,
  type AgentTarget,
  type FindOutcome,
  type LapseContext,
  lapseRequest,
  type SendOutcome,
} from '#protocol';
import { type Clock, isWorldFault } from '#runtime';
import type { AgentDirectory } from './agent-directory.ts';
import type { AgentHealth } from './agent-health.ts';
import type { ExpectationTexts } from './expectation-texts.ts';
import { findTarget } from './find-target.ts';
import { afterFind, afterSend, type Attempted, parked, resent, type RowChange } from './outbox/after-attempt.ts';
import type { Outbox } from './outbox/outbox.ts';
import type { WaitingLapse } from './outbox/waiting-lapse.ts';

/** What the ledger's end said so long ago is looked at again before bytes leave. */
const staleMs = 1_000;

export interface SenderPorts {
  readonly outbox: Outbox;
  readonly directory: AgentDirectory;
  readonly messenger: AgentMessenger;
  readonly texts: ExpectationTexts | undefined;
  readonly clock: Clock;
  /** Resolves once the partition's ledger is in the outbox up to its end; false where that is not to be any more. */
  readonly caughtUp: () => Promise<boolean>;
  /** The log is to be told something. */
  readonly wakeReporter: () => void;
  /** A lapse is to be sent that the agent may have. */
  readonly onPossibleDuplicate: () => void;
}

export class Sender {
  private readonly logger = new Logger(Sender.name);
  private readonly ports: SenderPorts;

  constructor(ports: SenderPorts) {
    this.ports = ports;
  }

  /** Asks the log for leave to send the agent's oldest, in order. Throws faults. */
  async ask(lapses: readonly WaitingLapse[]): Promise<void> {
    const [first] = lapses;
    if (first === undefined || !(await this.ports.caughtUp())) return;
    await this.ports.outbox.ask(lapses, this.now);
    this.ports.wakeReporter();
  }

  /** How many calls the lapse's agent takes a minute; undefined where it has no rate of its own. Throws faults. */
  async ratePerMinute(lapse: WaitingLapse): Promise<number | undefined> {
    const target = await this.target(lapse);
    return 'missing' in target ? undefined : target.dispatch?.ratePerMinute;
  }

  /** Sends, or looks for it. `signal` ends a send that is under way: its outcome is then unknown. Throws faults. */
  async advance(lapse: WaitingLapse, health: AgentHealth, signal: AbortSignal): Promise<void> {
    if (lapse.state === 'sending') return this.abandon(lapse, health);
    const target = await this.target(lapse);
    if ('missing' in target) return this.settle(lapse, (row) => parked(row, target.missing));
    if (lapse.state === 'ready') return this.send(lapse, target, health, signal);
    // It makes one task of one message, however often that comes: there is nothing to look for.
    if (target.dispatch?.dedupes === 'yes' && !lapse.closed) return this.settle(lapse, resent);
    return this.find(lapse, target, health, signal);
  }

  private async send(
    lapse: WaitingLapse,
    target: AgentTarget,
    health: AgentHealth,
    signal: AbortSignal,
  ): Promise<void> {
    const request = lapseRequest(lapse.lapsed, await this.context(lapse));
    const lookedAtMs = this.now.getTime();
    if (!(await this.ports.caughtUp()) || !(await this.ports.outbox.claim(lapse, this.now))) return;
    if (this.now.getTime() - lookedAtMs > staleMs && !(await this.isStillDue(lapse))) return;
    health.called();
    const sent = await this.ports.messenger.send(target, request, signal);
    const delayMs = retryDelay(sent, lapse.attempt, health);
    await this.settle(lapse, (row) => afterSend(row, sent, delayMs));
  }

  // Whoever was sending it may be at it yet, for as long as a send takes: only then a look tells anything.
  private async abandon(lapse: WaitingLapse, { settlingMs }: AgentHealth): Promise<void> {
    const { messenger, outbox } = this.ports;
    await outbox.abandon(lapse, new Date(this.now.getTime() + messenger.timeoutMs + settlingMs));
  }

  /** The database was long in answering: once more, whether the ledger has voided it. False where it is not to be sent. */
  private async isStillDue(lapse: WaitingLapse): Promise<boolean> {
    return (await this.ports.caughtUp()) && !(await this.ports.outbox.dropClosed(lapse));
  }

  private async find(
    lapse: WaitingLapse,
    target: AgentTarget,
    health: AgentHealth,
    signal: AbortSignal,
  ): Promise<void> {
    health.called();
    const looked = await this.ports.messenger.find(target, lapseRequest(lapse.lapsed), signal);
    const found = lastWord(looked, health);
    const delayMs = delayAfterLook(found, lapse.attempt, health);
    await this.settle(lapse, (row) => afterFind(row, found, delayMs));
  }

  private async settle(lapse: WaitingLapse, decide: (row: Attempted) => RowChange): Promise<void> {
    const change = await this.ports.outbox.settle(lapse, this.now, decide);
    if (change?.remove !== false || change.report === null) return;
    if (change.report.type === 'dispatchAttempted') this.ports.onPossibleDuplicate();
    this.ports.wakeReporter();
  }

  private get now(): Date {
    return new Date(this.ports.clock.now());
  }

  private target({ tenant, lapsed }: WaitingLapse): ReturnType<typeof findTarget> {
    return findTarget(this.ports.directory, tenant, lapsed.agentId);
  }

  // The text for people is better with it, and is not worth a late lapse.
  private async context({ tenant, lapsed }: WaitingLapse): Promise<LapseContext> {
    const ids = [lapsed.expectationId, ...(lapsed.lapse.satisfiedAfter ?? [])];
    try {
      const texts = await this.ports.texts?.find(tenant, lapsed.agentId, ids);
      const grace = texts?.get(lapsed.expectationId)?.grace;
      const expectsById = new Map([...(texts ?? [])].map(([id, { expects }]) => [id, expects]));
      return { expectsById, ...(grace !== undefined && { grace }) };
    } catch (error) {
      if (!isWorldFault(error)) throw error;
      this.logger.warn(`a lapse is sent without its texts: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    }
  }
}

// Who answers each time, and never says what became of it, is in the end taken for one who cannot: else a lapse that
// did not arrive would wait for ever behind a list that is out of order.
function lastWord(found: FindOutcome, health: AgentHealth): FindOutcome {
  if (found.outcome !== 'cannotTell') {
    health.told();
    return found;
  }
  const isLast = found.temporary && found.answered === true && !health.mayStillTell();
  return isLast ? { ...found, temporary: false } : found;
}

function delayAfterLook(found: FindOutcome, attempt: number, health: AgentHealth): number {
  if (found.outcome !== 'cannotTell') return 0;
  return found.temporary ? health.failed(attempt, found.retryAfterMs) : health.beforeDuplicate(attempt);
}

// What is unknown is given a while to show at the agent before it is looked for.
function retryDelay(sent: SendOutcome, attempt: number, health: AgentHealth): number {
  switch (sent.outcome) {
    case 'acknowledged':
      return 0;
    case 'refused':
      return sent.permanent ? 0 : health.failed(attempt);
    case 'unreachable':
      return health.failed(attempt, sent.retryAfterMs);
    case 'unknown':
      return health.failed(attempt, Math.max(sent.retryAfterMs ?? 0, health.settlingMs));
  }
}
