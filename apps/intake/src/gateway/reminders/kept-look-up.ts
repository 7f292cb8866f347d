// Asks agents, each at a turn of its own, whether tasks still run for which reminders wait: one that ends where nobody looks
// ends them too. It must never suppress one of a task that may still run, short of the time it is kept at most.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  Optional,
} from '@nestjs/common';
import { isTerminal } from '#expectations';
import { AgentDirectory, CLOCK, type Clock, isStorageDown } from '#runtime';
import { isWriteFault } from '#writes';
import { AgentQuestions } from '../agent-questions.ts';
import { stateOf } from '../answer.ts';
import { askedAgent } from '../asked-agent.ts';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from '../gateway-limits.ts';
import { within } from '../within.ts';
import { type DueTask, KeptReminders } from './kept-reminders.ts';

const lookUpCount = 10;
const lookUpMs = 15_000;

@Injectable()
export class KeptLookUp implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(KeptLookUp.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly kept: KeptReminders,
    private readonly directory: AgentDirectory,
    private readonly questions: AgentQuestions,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() @Inject(GATEWAY_LIMITS) private readonly limits: GatewayLimits = gatewayLimits,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const due = await this.kept.due(lookUpCount);
        await Promise.all(due.map((task) => this.look(task)));
        if (due.length === lookUpCount) continue;
      } catch (error) {
        if (!isWriteFault(error)) throw error;
        if (!isStorageDown(error)) this.logger.warn(`reminders are not looked after: ${String(error)}`);
      }
      await this.clock.sleep(this.limits.lookUpEveryMs, signal);
    }
  }

  private async look(task: DueTask): Promise<void> {
    if (task.liveCount === 0) await this.kept.forget(task);
    else if (task.isOld || (await this.isOver(task))) await this.kept.end(task);
  }

  /** False where its agent does not show it: that says nothing. */
  private async isOver(due: DueTask): Promise<boolean> {
    const asked = await askedAgent(this.directory, due);
    if (asked === undefined) return false;
    const signal = within(lookUpMs, this.stopping.signal);
    const task = await this.questions.task({ ...asked, signal }, due.taskId);
    const state = task === undefined ? null : stateOf({ task });
    return state !== null && isTerminal(state);
  }
}
