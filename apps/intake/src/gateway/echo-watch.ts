// Which agents take a message without saying that the extension is activated (§7): counted, and shown with the agent.
// N27: an echo is unreliable in the field. It must never keep an answer from passing, nor make it wait.
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AgentTroubles, CLOCK, type Clock, isStorageDown } from '#runtime';
import { isEchoed } from './activation.ts';
import { type Exchange, isSend } from './exchange.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import type { Upstream } from './upstream.ts';

/** What is so again is written again after so long: another replica may have written otherwise. */
const againMs = 60_000;
/** What is otherwise is, after so long: an agent may change its mind with each answer. */
const otherwiseMs = 5_000;
const rememberedCount = 10_000;

@Injectable()
export class EchoWatch implements OnApplicationShutdown {
  private readonly logger = new Logger(EchoWatch.name);
  /** By agent and interface, what was written last. */
  private readonly written = new Map<string, { readonly isEcho: boolean; readonly atMs: number }>();
  /** One after the other: the last word counts. */
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly troubles: AgentTroubles,
    private readonly metrics: GatewayMetrics,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  /** The head of an answer has come. */
  see(exchange: Exchange, { headers, statusCode }: Pick<Upstream, 'headers' | 'statusCode'>): void {
    const { extensionUri } = exchange.agent;
    if (!isSend(exchange) || extensionUri === undefined || statusCode >= 400) return;
    const isEcho = isEchoed(headers, extensionUri);
    if (!isEcho) this.metrics.echoMissing();
    if (this.isToWrite(exchange, isEcho)) this.writing = this.writing.then(() => this.write(exchange, isEcho));
  }

  private isToWrite({ agent, via }: Exchange, isEcho: boolean): boolean {
    const key = JSON.stringify([agent.tenant, agent.agentId, via.path]);
    const atMs = this.clock.now();
    const last = this.written.get(key);
    if (last !== undefined && atMs - last.atMs < (last.isEcho === isEcho ? againMs : otherwiseMs)) return false;
    this.written.delete(key);
    this.written.set(key, { isEcho, atMs });
    for (const oldest of this.written.keys()) {
      if (this.written.size <= rememberedCount) break;
      this.written.delete(oldest);
    }
    return true;
  }

  /** Where the database is away it is seen another time. */
  private async write({ agent, via }: Exchange, isEcho: boolean): Promise<void> {
    const { tenant, agentId } = agent;
    try {
      if (isEcho) await this.troubles.echoed(tenant, agentId, via);
      else await this.troubles.echoMissed(tenant, agentId, via);
    } catch (error) {
      if (!isStorageDown(error)) throw error;
      this.logger.warn(`whether an agent echoes the extension was not kept: ${String(error)}`);
    }
  }
}
