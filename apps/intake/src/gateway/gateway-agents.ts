// The agents that are forwarded to, as the directory has them. They are remembered for seconds, since every request asks,
// and for an hour where the directory cannot be asked: what only reads must go on then.
import { Inject, Injectable } from '@nestjs/common';
import { readDeclaration } from '#protocol';
import { readReminderCapability } from '#reminders';
import { AgentDirectory, CLOCK, type Clock, Problem, StorageUnavailableError } from '#runtime';
import { type GatewayInterface, gatewayInterfaces } from './gateway-interfaces.ts';

export interface WatchedAgent {
  readonly tenant: string;
  readonly agentId: string;
  readonly interfaces: readonly GatewayInterface[];
  /** The highest version of the extension that its card declares and the watcher understands (§15); absent where none. */
  readonly extensionUri?: string;
  /** Its card says that it takes reminders itself. */
  readonly takesReminders: boolean;
}

interface Remembered {
  readonly agent: Promise<WatchedAgent>;
  readonly freshUntil: number;
}

const freshMs = 2_000;
/** For so long after that whoever asks is given what is known, while it is looked up anew. */
const lookAheadMs = 10_000;
const staleMs = 3_600_000;
const rememberedCount = 10_000;

@Injectable()
export class GatewayAgents {
  private readonly remembered = new Map<string, Remembered>();
  /** The last that was known, by the same key. */
  private readonly last = new Map<string, { readonly agent: WatchedAgent; readonly until: number }>();

  constructor(
    private readonly directory: AgentDirectory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws `Problem` (`agent-unknown`) where the tenant has registered no such agent, and `StorageUnavailableError`. */
  async find(tenant: string, agentId: string): Promise<WatchedAgent> {
    const key = JSON.stringify([tenant, agentId]);
    const known = this.remembered.get(key);
    const now = this.clock.now();
    if (known !== undefined && known.freshUntil > now) return known.agent;
    const agent = this.look(tenant, agentId, key);
    keep(this.remembered, key, { agent, freshUntil: now + freshMs });
    // What is not registered, or could not be looked up, is asked for again.
    agent.catch(() => this.remembered.delete(key));
    return known !== undefined && known.freshUntil + lookAheadMs > now ? known.agent : agent;
  }

  /** The card as the directory has it. Throws as `find`. */
  async card(tenant: string, agentId: string): Promise<unknown> {
    const address = await this.directory.find(tenant, agentId);
    if (address === undefined) throw unknownAgent(agentId);
    return address.card;
  }

  private async look(tenant: string, agentId: string, key: string): Promise<WatchedAgent> {
    const now = this.clock.now();
    try {
      const card = await this.card(tenant, agentId);
      const { uri } = readDeclaration(card);
      const interfaces = gatewayInterfaces(card);
      const takesReminders = readReminderCapability(card)?.inject === true;
      const extension = uri !== undefined && { extensionUri: uri };
      const agent = { tenant, agentId, interfaces, takesReminders, ...extension };
      keep(this.last, key, { agent, until: now + staleMs });
      return agent;
    } catch (error) {
      const last = this.last.get(key);
      if (error instanceof StorageUnavailableError && last !== undefined && last.until > now) return last.agent;
      throw error;
    }
  }
}

function unknownAgent(agentId: string): Problem {
  return new Problem('agent-unknown', 'no agent of this id is registered', { agentId });
}

/** Bounded: the one kept longest goes first. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= rememberedCount) return;
    map.delete(oldest);
  }
}
