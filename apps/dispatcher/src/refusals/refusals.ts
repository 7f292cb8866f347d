// Tells agents, in the context, what of their own was not recorded: at most once, and never so that it goes round. A message
// activates nothing, what an agent raises in answer to it is not told again, and neither is more than a few in one context.
import { createHash } from 'node:crypto';
import { encodeInbox, type EventLog, type RefusalTellingReported } from '#event-log';
import { type AgentMessenger, refusalsRequest, type SendOutcome } from '#protocol';
import { type BackoffBounds, type Clock, type Random, retryDelayMs } from '#runtime';
import type { AgentDirectory } from '../agent-directory.ts';
import { DueWork, nothing, type Settle } from '../due-work.ts';
import { findTarget } from '../find-target.ts';
import type { SendRates } from '../send-rates.ts';
import { mostAgeMs } from './refusal-change.ts';
import type { DueAgent, RefusalGroup, RefusalRows } from './refusal-rows.ts';

export interface RefusalsOptions {
  readonly partition: number;
  readonly log: EventLog;
  readonly rows: RefusalRows;
  readonly directory: AgentDirectory;
  readonly messenger: AgentMessenger;
  readonly rates: SendRates;
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff: BackoffBounds;
  /** To one agent, beside its lapses. */
  readonly perMinute: number;
  /** Resolves once the partition's ledger is in the tables up to its end; false where that is not to be any more. */
  readonly caughtUp: () => Promise<boolean>;
  /** Does it again and again until it answers false; waits after a fault. */
  readonly persist: (name: string, pass: () => Promise<boolean>) => Promise<void>;
}

const batchReports = 500;
/** Of one tenant so many agents of a partition are told at once. */
const agentsOfTenant = 4;

export class Refusals {
  private readonly work: DueWork;
  private isRecovered = false;

  constructor(private readonly options: RefusalsOptions) {
    const { clock, persist } = options;
    this.work = new DueWork({ clock, persist, name: 'Refusal', ofTenant: agentsOfTenant });
  }

  /** Something was refused, or the ledger says how a telling has ended. */
  wake(): void {
    this.work.wake();
  }

  /** Until `stopping` aborts, and what is being sent has ended: by itself, or because `abandoning` aborts. */
  async run(stopping: AbortSignal, abandoning: AbortSignal): Promise<void> {
    await this.options.persist('Refusals', () => this.pass(stopping, abandoning));
    await this.work.ended();
  }

  /** Tells the log how tellings have ended. Throws faults. */
  async report(): Promise<void> {
    const { log, rows, partition } = this.options;
    const reports = await rows.reports(batchReports);
    if (reports.length === 0) return;
    const records = reports.map(({ tenant, text }) => ({
      tenant,
      value: encodeInbox(JSON.parse(text) as RefusalTellingReported),
    }));
    await log.append(partition, records);
    await rows.told(reports);
  }

  /** Begins to tell what is due, or waits until more may be. Throws faults; may be called again. */
  private async pass(stopping: AbortSignal, abandoning: AbortSignal): Promise<true> {
    const { rows } = this.options;
    if (!this.isRecovered) await rows.recover();
    this.isRecovered = true;
    await this.report();
    return this.work.pass(rows, (each) => this.begin(each, stopping, abandoning), stopping);
  }

  private begin(due: DueAgent, stopping: AbortSignal, abandoning: AbortSignal): boolean {
    return this.work.beginSending(due.agentKey, due.tenant, async () => {
      const settle = await this.tell(due, stopping, abandoning);
      return async () => {
        await settle();
        await this.report();
      };
    });
  }

  /** Sends the next message there is for the agent. Throws faults, and then nothing was sent. */
  private async tell(
    { agentKey, tenant, agentId }: DueAgent,
    stopping: AbortSignal,
    abandoning: AbortSignal,
  ): Promise<Settle> {
    const { rates, clock, perMinute, rows, directory, messenger } = this.options;
    const { fromMs } = rates.reserve(tenant, `refusals ${agentKey}`, 1, perMinute);
    await clock.sleep(Math.max(0, fromMs - clock.now()), stopping);
    if (stopping.aborted || !(await this.options.caughtUp())) return nothing;
    const target = await findTarget(directory, tenant, agentId);
    const group = await rows.claim(agentKey, new Date(clock.now()));
    if (group === undefined) return nothing;
    if ('missing' in target) return () => rows.end(group, { outcome: 'dropped', cause: target.missing });
    const sent = await messenger.send(target, requestOf(group), abandoning);
    return () => this.settle(group, sent);
  }

  private async settle(group: RefusalGroup, sent: SendOutcome): Promise<void> {
    const { rows, clock, random, backoff } = this.options;
    const retryAfterMs = afterMs(sent);
    const isNews = clock.now() - group.madeAt.getTime() < mostAgeMs;
    if (retryAfterMs === undefined || !isNews) return rows.end(group, endedBy(sent));
    const delayMs = retryDelayMs(group.failuresCount + 1, backoff, random, retryAfterMs);
    await rows.postpone(group, new Date(clock.now() + delayMs));
  }
}

/** How long to wait before it is tried again, at least; undefined where it is not. */
function afterMs(sent: SendOutcome): number | undefined {
  if (sent.outcome === 'unreachable') return sent.retryAfterMs ?? 0;
  return sent.outcome === 'refused' && !sent.permanent ? 0 : undefined;
}

function endedBy(sent: SendOutcome): Pick<RefusalTellingReported, 'outcome' | 'cause' | 'taskId'> {
  if (sent.outcome === 'acknowledged') {
    return { outcome: 'told', ...(sent.taskId !== undefined && { taskId: sent.taskId }) };
  }
  return { outcome: sent.outcome === 'unknown' ? 'unknown' : 'dropped', cause: sent.cause };
}

/** The same for the same refusals. */
function requestOf({ tenant, agentId, contextId, events, places }: RefusalGroup): ReturnType<typeof refusalsRequest> {
  const told = JSON.stringify([tenant, agentId, contextId, places]);
  const messageId = `refusals:${createHash('sha256').update(told).digest('hex').slice(0, 32)}`;
  return refusalsRequest(messageId, contextId, events);
}
