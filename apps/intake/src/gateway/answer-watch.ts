// Tells the log what an agent's answer says, before the answer passes. What says nothing new costs nothing.
// It must never let a send's answer pass that carries something and is not in the log.
import { LogUnavailableError, type UntimedInput } from '#event-log';
import { gatewayReporter, isUsableId, taskIdOf } from '#protocol';
import { isStorageDown, Problem } from '#runtime';
import { isWriteFault } from '#writes';
import type { Seen, Sightings } from '../sightings.ts';
import type { Asking } from '../state-order.ts';
import { type Answer, askedIn, stateOf } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { ForwardedSends } from './forwarded-sends.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { LogGate } from './log-gate.ts';
import type { StreamStates, ToldMemory } from './told-memory.ts';

export interface WatchPorts {
  readonly sightings: Sightings;
  readonly memory: ToldMemory;
  readonly gate: LogGate;
  readonly sends: ForwardedSends;
  readonly metrics: GatewayMetrics;
}

/** The injection token of `WatchPorts`. */
export const WATCH_PORTS = Symbol('WatchPorts');

export class AnswerWatch {
  private readonly states: StreamStates = new Map();
  /** The task that the client's message answers, until the agent has said something to it. */
  private answering: string | undefined;
  private isTaskKnown: boolean;

  /** `number`: of the send's note; absent where the request brings no message. `asking`: from before it was sent on. */
  constructor(
    private readonly ports: WatchPorts,
    private readonly exchange: Exchange,
    private readonly number: string | undefined,
    private readonly asking?: Asking,
  ) {
    const { message } = exchange.operation;
    this.answering = message?.taskId;
    this.isTaskKnown = message?.taskId !== undefined;
  }

  /**
   * Undefined where the answer may pass at once; else it may once this resolves. Rejects with a `Problem`
   * (`answer-unrecorded`) where it must not pass, as neither the log nor a note has it.
   */
  see(answer: Answer): Promise<void> | undefined {
    const { tenant, agentId } = this.exchange.agent;
    this.learn(answer);
    const first = this.accepted(answer);
    const news = answer.seen.filter((seen) => this.ports.memory.isNews(tenant, agentId, seen, this.states));
    return news.length === 0 && first.length === 0 ? undefined : this.tell(news, first);
  }

  /** §11: the watcher that passes the answer on reports it once the agent has accepted it; whether anything was asked is the core's to say. */
  private accepted({ isError, seen }: Answer): readonly UntimedInput[] {
    const taskId = this.answering;
    const [said] = seen;
    if (taskId === undefined || (said === undefined && !isError)) return [];
    this.answering = undefined;
    // An agent that reads the client's message otherwise than it is read here names no task, or another.
    if (isError || said === undefined || taskIdOf(said) !== taskId || stateOf(said) === 'TASK_STATE_REJECTED')
      return [];
    const { agent, client } = this.exchange;
    const { agentId } = agent;
    // What it asks in accepting may be known by now, from who follows the task: it is not what was answered.
    const except = askedIn(said);
    const reporter = client?.name ?? gatewayReporter;
    return [{ type: 'answerObserved', agentId, taskId, reporter, ...(except.length > 0 && { except }) }];
  }

  private learn({ seen }: Answer): void {
    if (this.isTaskKnown || this.number === undefined) return;
    const taskId = seen.map(taskIdOf).find(isUsableId);
    if (taskId === undefined) return;
    this.isTaskKnown = true;
    // Only a stream goes on after this, and only its look-up needs it.
    if (this.exchange.operation.kind === 'stream') void this.ports.sends.learn(this.number, taskId);
  }

  private async tell(news: readonly Seen[], first: readonly UntimedInput[]): Promise<void> {
    const { sightings, memory, gate, metrics } = this.ports;
    const { agent, isActivated } = this.exchange;
    const { tenant, agentId } = agent;
    try {
      // Whoever only reads does not wait for a log that has just been found away.
      if (this.number === undefined && gate.isClosed(tenant))
        throw new LogUnavailableError('the log was away just now');
      const { asking } = this;
      const options = { first, ...(!isActivated && { activated: false }), ...(asking && { asking }) };
      const telling = await gate.through(tenant, () => sightings.tell(tenant, agentId, news, options));
      if (telling === 'overtaken') {
        await this.askAgain(news);
        return;
      }
    } catch (cause) {
      if (!isWriteFault(cause)) throw cause;
      metrics.unrecorded();
      await this.noteInstead(news, cause);
      return;
    }
    for (const seen of news) memory.remember(tenant, agentId, seen, this.states);
  }

  /** A send has its note; of what was only read one is made, and it passes. */
  private async noteInstead(news: readonly Seen[], cause: unknown): Promise<void> {
    if (this.number !== undefined) throw unrecorded(cause);
    try {
      await this.note(news);
    } catch (error) {
      if (!isStorageDown(error)) throw error;
      throw unrecorded(error);
    }
  }

  /** What may be older than a question is in the log but for its state. */
  private async askAgain(news: readonly Seen[]): Promise<void> {
    try {
      await this.note(news);
    } catch (error) {
      // A task that is asked something is followed as well.
      if (!isStorageDown(error)) throw error;
    }
  }

  private async note(news: readonly Seen[]): Promise<void> {
    const { agent, via, isActivated } = this.exchange;
    const of = { tenant: agent.tenant, agentId: agent.agentId, interfacePath: via.path, isActivated };
    const taskIds = new Set(news.map(taskIdOf).filter(isUsableId));
    for (const taskId of taskIds) await this.ports.sends.noteUnrecorded({ ...of, taskId });
  }
}

function unrecorded(cause: unknown): Problem {
  const detail = 'the agent has answered, and the log did not take what it says: the agent is asked again';
  return new Problem('answer-unrecorded', detail, {}, { cause });
}
