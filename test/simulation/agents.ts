// The agents, as the dispatcher reaches them. Each keeps every message it has received, and has one task a message.
import {
  type AgentMessenger,
  type AgentTarget,
  type FindOutcome,
  type LapseRequest,
  REFUSALS_KEY,
  type RefusalsRequest,
  type SendOutcome,
} from '#protocol';
import type { Instance } from './instance.ts';
import type { AgentDirectory } from './product.ts';
import type { World } from './world.ts';

/** How an agent is: it answers; cannot be reached; never answers; says no; its answers are lost; what it gets comes late. */
const moods = ['well', 'down', 'silent', 'refusing', 'lossy', 'late', 'mute', 'unregistered'] as const;
export type Mood = (typeof moods)[number];

interface Received {
  readonly taskId: string;
  count: number;
}

type AgentRequest = LapseRequest | RefusalsRequest;

/** Told of each send before anything leaves, and of each that the agent has certainly not processed. */
export interface SendWitness {
  sending(tenant: string, agentId: string, request: LapseRequest): void;
  telling(tenant: string, agentId: string, request: RefusalsRequest): void;
  notTold(tenant: string, agentId: string, request: RefusalsRequest): void;
}

function isTelling(request: AgentRequest): request is RefusalsRequest {
  return REFUSALS_KEY in request.message.metadata;
}

/** How long a caller waits for an answer. */
const TIMEOUT_MS = 30_000;

export class SimulatedAgent {
  mood: Mood = 'well';
  readonly received = new Map<string, Received>();
  /** Messages that may be with it, as far as anybody who asked it could know. */
  readonly mayHave = new Set<string>();
  /** Told of each message that has come for the first time. */
  onReceived: (taskId: string, contextId: string) => void = () => undefined;

  constructor(
    private readonly world: World,
    readonly tenant: string,
    readonly agentId: string,
  ) {}

  changeMood(): void {
    this.mood = this.world.chance.pick(moods);
    this.world.note(`agent ${this.agentId} of ${this.tenant} is ${this.mood}`);
  }

  /** A message has come; again, it is the same task. */
  receive({ message: { messageId, contextId } }: AgentRequest): string {
    const known = this.received.get(messageId);
    if (known !== undefined) {
      known.count += 1;
      return known.taskId;
    }
    const taskId = `lapse-${this.agentId}-${this.received.size + 1}`;
    this.received.set(messageId, { taskId, count: 1 });
    this.onReceived(taskId, contextId);
    return taskId;
  }

  answerTo(request: AgentRequest): SendOutcome {
    const { chance } = this.world;
    switch (this.mood) {
      case 'down':
        return { outcome: 'unreachable', cause: 'refused', ...(chance.happens(0.3) && { retryAfterMs: 20_000 }) };
      case 'refusing':
        return { outcome: 'refused', cause: 'no', permanent: chance.happens(0.3) };
      case 'silent':
        if (chance.happens(0.5)) this.receive(request);
        return { outcome: 'unknown', cause: 'timeout' };
      case 'lossy':
        this.receive(request);
        return { outcome: 'unknown', cause: 'the answer was lost' };
      case 'late':
        void this.world.after(chance.below(90_000), `${this.agentId} gets it late`, () => void this.receive(request));
        return { outcome: 'unknown', cause: 'timeout' };
      case 'mute':
        this.receive(request);
        return { outcome: 'acknowledged' };
      case 'well':
      case 'unregistered':
        return { outcome: 'acknowledged', taskId: this.receive(request) };
    }
  }

  find({ message: { messageId } }: LapseRequest): FindOutcome {
    const { chance } = this.world;
    if (this.mood === 'down' || this.mood === 'silent')
      return { outcome: 'cannotTell', cause: 'away', temporary: true };
    if (this.mood === 'refusing' && chance.happens(0.5)) {
      return { outcome: 'cannotTell', cause: 'no such method', temporary: false };
    }
    const known = this.received.get(messageId);
    return known === undefined ? { outcome: 'absent' } : { outcome: 'found', taskId: known.taskId };
  }
}

export class Agents {
  private readonly agents = new Map<string, SimulatedAgent>();
  witness: SendWitness | undefined;
  onReceived: (agent: SimulatedAgent, taskId: string, contextId: string) => void = () => undefined;

  constructor(private readonly world: World) {}

  of(tenant: string, agentId: string): SimulatedAgent {
    const key = JSON.stringify([tenant, agentId]);
    const known = this.agents.get(key);
    if (known !== undefined) return known;
    const agent = new SimulatedAgent(this.world, tenant, agentId);
    agent.onReceived = (taskId, contextId) => this.onReceived(agent, taskId, contextId);
    this.agents.set(key, agent);
    return agent;
  }

  get all(): readonly SimulatedAgent[] {
    return [...this.agents.values()];
  }

  directoryFor(instance: Instance): AgentDirectory {
    return {
      find: (tenant, agentId) =>
        instance.call({
          port: 'agent',
          what: `look agent ${agentId} of ${tenant} up`,
          effect: () => {
            const card = { tenant, agentId };
            return this.of(tenant, agentId).mood === 'unregistered' ? undefined : { card };
          },
          fault: () => Object.assign(new Error('the directory did not answer'), { retryable: true }),
        }),
    };
  }

  messengerFor(instance: Instance): AgentMessenger {
    return {
      timeoutMs: TIMEOUT_MS,
      send: (target, request, signal) => {
        const agent = this.at(target);
        this.world.note(`${instance.name} is about to send ${request.message.messageId}`);
        if (isTelling(request)) this.witness?.telling(agent.tenant, agent.agentId, request);
        else this.witness?.sending(agent.tenant, agent.agentId, request);
        // Nobody looks for what was told: the witness knows how often it may be.
        if (!isTelling(request) && agent.mayHave.has(request.message.messageId)) {
          this.world.fail(`${request.message.messageId} is sent again, and nobody has looked for it`);
        }
        agent.mayHave.add(request.message.messageId);
        return this.send(instance, agent, request, signal);
      },
      find: async (target, request) => {
        const agent = this.at(target);
        const { messageId } = request.message;
        const found = await instance.call({
          port: 'agent',
          what: `look for ${messageId} at ${agent.agentId}`,
          effect: () => agent.find(request),
          shown: ({ outcome }) => outcome,
        });
        if (found.outcome === 'absent' || (found.outcome === 'cannotTell' && !found.temporary))
          agent.mayHave.delete(messageId);
        return found;
      },
    };
  }

  private async send(
    instance: Instance,
    agent: SimulatedAgent,
    request: AgentRequest,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    const { messageId } = request.message;
    const outcome = await instance.call({
      port: 'agent',
      what: `send ${messageId} to ${agent.agentId}`,
      mayOutlive: true,
      effect: () => agent.answerTo(request),
      shown: ({ outcome: what }) => what,
    });
    if (outcome.outcome === 'unknown') await instance.clock.sleep(TIMEOUT_MS, signal);
    if (outcome.outcome === 'unreachable' || outcome.outcome === 'refused') {
      agent.mayHave.delete(messageId);
      if (isTelling(request)) this.witness?.notTold(agent.tenant, agent.agentId, request);
    }
    return outcome;
  }

  private at(target: AgentTarget): SimulatedAgent {
    const { tenant, agentId } = target.card as { tenant: string; agentId: string };
    return this.of(tenant, agentId);
  }
}
