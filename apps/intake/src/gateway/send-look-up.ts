// What was sent on and has no end: whoever forwarded it has crashed, or could not tell the log what the agent said. It is
// looked up at the agent. It must never end one that may be found later, short of its last try.
import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { AgentDirectory, CLOCK, type Clock, type ForwardedSend, isStorageDown } from '#runtime';
import { isWriteFault } from '#writes';
import { Sightings } from '../sightings.ts';
import { AgentQuestions, type Asked } from './agent-questions.ts';
import { stateOf } from './answer.ts';
import { askedAgent } from './asked-agent.ts';
import { ForwardedSends } from './forwarded-sends.ts';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from './gateway-limits.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { LogGate } from './log-gate.ts';
import { lookedUpAnswer } from './looked-up-answer.ts';
import { within } from './within.ts';

const sweepEveryMs = 600_000;
/** Asked at the same time, and how many of them for one tenant: whose agents are slow holds up nobody else. */
const lookUpCount = 10;
const tenantLookUpCount = 2;
/** For one look-up, however many questions it takes. */
const lookUpMs = 30_000;
/** Over four hours, by the pauses between. */
const mostTries = 10;
/** Messages of a task among which an answer to it is looked for. */
const historyLength = 100;

/** The agent works on it, and nothing may be read of it afterwards: it is looked at again. */
const goesOn: readonly (string | null)[] = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_UNSPECIFIED',
  null,
];

@Injectable()
export class SendLookUp implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(SendLookUp.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private readonly underWay = new Map<Promise<void>, string>();
  /** The tenants that had one looked up since all had. */
  private readonly served = new Set<string>();
  /** Aborted when a look-up ends, and when all is to end. */
  private freed = new AbortController();
  private bug: { readonly error: unknown } | undefined;

  constructor(
    private readonly sends: ForwardedSends,
    private readonly directory: AgentDirectory,
    private readonly questions: AgentQuestions,
    private readonly sightings: Sightings,
    private readonly gate: LogGate,
    private readonly metrics: GatewayMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(GATEWAY_LIMITS) private readonly limits: GatewayLimits = gatewayLimits,
  ) {
    setMaxListeners(0, this.stopping.signal);
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    this.freed.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let sweptAt = 0;
    while (!signal.aborted) {
      this.freed = new AbortController();
      try {
        await this.fill();
        if (this.clock.now() - sweptAt >= sweepEveryMs) {
          sweptAt = this.clock.now();
          await this.sends.sweep();
        }
      } catch (error) {
        if (!isStorageDown(error)) throw error;
        this.logger.warn(`sends without an end are not looked up: ${String(error)}`);
        await this.clock.sleep(this.limits.lookUpEveryMs, signal);
        continue;
      }
      await this.clock.sleep(this.limits.lookUpEveryMs, this.freed.signal);
      if (this.bug !== undefined) throw this.bug.error;
    }
    await Promise.all(this.underWay.keys());
  }

  /** Begins look-ups while there is room and one is due. */
  private async fill(): Promise<void> {
    while (this.underWay.size < lookUpCount && !this.stopping.signal.aborted) {
      const send = await this.next();
      if (send === undefined) return;
      const lookingUp = this.lookUp(send)
        .catch((error: unknown) => (this.bug ??= { error }))
        .then(() => {
          this.underWay.delete(lookingUp);
          this.freed.abort();
        });
      this.underWay.set(lookingUp, send.tenant);
    }
  }

  /** The one due longest, of the tenants in rotation that have room. */
  private async next(): Promise<ForwardedSend | undefined> {
    const busy = [...this.underWay.values()];
    const full = busy.filter((tenant) => busy.filter((each) => each === tenant).length >= tenantLookUpCount);
    let [send] = await this.sends.claim(1, [...full, ...this.served]);
    if (send === undefined && this.served.size > 0) {
      this.served.clear();
      [send] = await this.sends.claim(1, full);
    }
    if (send !== undefined) this.served.add(send.tenant);
    return send;
  }

  private async lookUp(send: ForwardedSend): Promise<void> {
    try {
      await this.gate.assertOpen(send.tenant);
      const state = await this.tellTask(send);
      // Cut short, the agent has not been asked for all that it may know.
      if (state === 'unseen' && this.stopping.signal.aborted) {
        await this.sends.uncount(send.number);
        return;
      }
      if (state !== 'done' && send.triesCount < mostTries) return;
      const outcome = state === 'unseen' ? 'unseen' : 'found';
      if (outcome === 'unseen') this.warn(send);
      this.metrics.lookedUp(outcome);
      this.sends.end(send.number, outcome);
    } catch (error) {
      // The log is away, or takes nothing of the tenant's now: the agent is not at fault.
      if (!isWriteFault(error)) throw error;
      await this.sends.uncount(send.number);
    }
  }

  private async tellTask(send: ForwardedSend): Promise<'unseen' | 'goesOn' | 'done'> {
    const { tenant, agentId, isActivated } = send;
    const asked = await this.asked(send);
    const taskId = asked === undefined ? undefined : await this.taskIdOf(asked, send);
    if (asked === undefined || taskId === undefined) return 'unseen';
    const asking = this.sightings.ask();
    const task = await this.questions.task(asked, taskId, send.answerReporter === null ? 0 : historyLength);
    if (task === undefined) return 'unseen';
    const first = lookedUpAnswer(task, send);
    const telling = await this.gate.through(tenant, () =>
      this.sightings.tell(tenant, agentId, [{ task }], { first, asking, ...(!isActivated && { activated: false }) }),
    );
    if (telling === 'overtaken') return 'goesOn';
    return goesOn.includes(stateOf({ task })) ? 'goesOn' : 'done';
  }

  /** Undefined where there is nobody to ask: of a credential that cannot be read an operator is to know. */
  private async asked(send: ForwardedSend): Promise<Asked | undefined> {
    const asked = await askedAgent(this.directory, send, ({ message }) =>
      this.logger.warn(`an agent cannot be asked: ${message}`),
    );
    return asked && { ...asked, signal: within(lookUpMs, this.stopping.signal) };
  }

  private async taskIdOf(asked: Asked, { taskId, messageId, contextId }: ForwardedSend): Promise<string | undefined> {
    if (taskId !== null) return taskId;
    if (messageId === null) return undefined;
    return this.questions.taskOf(asked, { messageId, ...(contextId !== null && { contextId }) });
  }

  private warn({ tenant, agentId, messageId, taskId, number }: ForwardedSend): void {
    const what = JSON.stringify({ tenant, agentId, messageId, taskId, send: number });
    this.logger.warn(`what an agent made of a message is not known, and nothing it expects of it is watched: ${what}`);
  }
}
