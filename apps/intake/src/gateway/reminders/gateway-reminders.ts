// Reminders through the gateway: for agents that take them everything passes as it comes; for others they are taken here,
// carried by the task's next message, or suppressed with its end (reminders, *Towards a peer*).
import { Inject, Injectable, Logger, type OnApplicationShutdown, Optional } from '@nestjs/common';
import type { Response } from 'express';
import { OUTBOUND, type Outbound } from '#outbound';
import { isObject } from '#protocol';
import { readInject, type Reminder } from '#reminders';
import { fairTurns, parseJsonInTurns, Problem } from '#runtime';
import { isWriteFault } from '#writes';
import type { AnswerWatch } from '../answer-watch.ts';
import { type Exchange, isSend } from '../exchange.ts';
import { withoutNames } from '../forwarded-headers.ts';
import { GATEWAY_LIMITS, gatewayLimits, type GatewayLimits } from '../gateway-limits.ts';
import { writeHead } from '../pass-answer.ts';
import type { Dialect } from '../refusal.ts';
import { carryingBody } from './carrying.ts';
import { writeInjectAnswer, writeInjectRefusal } from './inject-answer.ts';
import { type KeptFor, KeptReminders } from './kept-reminders.ts';
import { ReminderWatch } from './reminder-watch.ts';
import { findTask } from './task-question.ts';

/** What they would say of a body that is not the client's any more. */
const ofBody: readonly string[] = ['digest', 'content-digest', 'content-md5'];

@Injectable()
export class GatewayReminders implements OnApplicationShutdown {
  private readonly logger = new Logger(GatewayReminders.name);
  private readonly ending = new Set<Promise<void>>();

  constructor(
    private readonly kept: KeptReminders,
    @Inject(OUTBOUND) private readonly outbound: Outbound,
    @Optional() @Inject(GATEWAY_LIMITS) private readonly limits: GatewayLimits = gatewayLimits,
  ) {}

  /**
   * Answers an inject for an agent that takes none; false where the request is something else, or the agent's to answer.
   * Throws `AgentFault`, and `Problem` where it could not be kept.
   */
  async answers(exchange: Exchange, dialect: Dialect, response: Response, signal: AbortSignal): Promise<boolean> {
    if (exchange.operation.inject === undefined || exchange.agent.takesReminders) return false;
    const request = readInject(await paramsOf(exchange), this.kept.bounds);
    if ('refusal' in request) {
      writeInjectRefusal(response, request.refusal, dialect);
      return true;
    }
    const { taskId } = request;
    const { dispatcher } = this.outbound.as();
    const task = await findTask(dispatcher, exchange, taskId, this.limits, signal);
    if (task.found === 'other') {
      writeHead(response, task.upstream);
      response.end(task.bytes);
    } else if (task.found === 'none') {
      writeInjectRefusal(response, { code: 'task_not_found', field: 'taskId', message: 'no such task' }, dialect);
    } else if (task.found === 'terminal') {
      this.end(keptFor(exchange, taskId));
      const message = 'the task has ended: nothing runs that could be told';
      writeInjectRefusal(response, { code: 'task_terminal', field: 'taskId', message }, dialect);
    } else {
      const via = { contextId: task.contextId, interfacePath: exchange.via.path };
      const injected = await written(() => this.kept.inject(keptFor(exchange, taskId), request, via));
      if ('refusal' in injected) writeInjectRefusal(response, injected.refusal, dialect);
      else writeInjectAnswer(response, injected.answer, dialect);
    }
    return true;
  }

  /** The exchange, its message carrying what waits for its task. Throws `StorageUnavailableError`. */
  async onto(exchange: Exchange): Promise<Exchange> {
    const taskId = exchange.operation.message?.taskId;
    if (taskId === undefined || !isSend(exchange) || exchange.agent.takesReminders) return exchange;
    const carried = await this.kept.waiting(keptFor(exchange, taskId));
    if (carried.length === 0) return exchange;
    const body = carryingBody(exchange.body, exchange.via.binding, carried);
    return { ...exchange, body, headers: withoutNames(exchange.headers, ofBody), carried };
  }

  /** The watch that learns, beside what it learns already, what becomes of reminders. */
  watching(watch: AnswerWatch, exchange: Exchange): Pick<AnswerWatch, 'see'> {
    const { carried = [], operation } = exchange;
    return new ReminderWatch(watch, exchange, {
      carried: () => this.carried(exchange, operation.message?.taskId ?? '', carried),
      ended: (taskId) => this.end(keptFor(exchange, taskId)),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.ending);
  }

  /** Nobody waits for it: what only reads passes while the database is away, and a look-up finds the end out, too. */
  private end(of: KeptFor): void {
    const ending = this.settle(() => this.kept.end(of)).finally(() => this.ending.delete(ending));
    this.ending.add(ending);
  }

  private async carried(exchange: Exchange, taskId: string, reminders: readonly Reminder[]): Promise<void> {
    await this.settle(() => this.kept.carried(keptFor(exchange, taskId), reminders));
  }

  /** Found out again where it cannot be written: carried once more under the same ids, or looked up. */
  private async settle(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!isWriteFault(error)) throw error;
      this.logger.warn(`what became of reminders was not written: ${error instanceof Error ? error.message : ''}`);
    }
  }
}

function keptFor({ agent }: Exchange, taskId: string): KeptFor {
  return { tenant: agent.tenant, agentId: agent.agentId, taskId };
}

/** Of HTTP+JSON the body, with the path's task. */
async function paramsOf({ operation: { inject }, body, agent }: Exchange): Promise<unknown> {
  if (inject?.taskId === undefined) return inject?.params;
  const parsed = await parseJsonInTurns(body, () => fairTurns.next(agent.tenant));
  if (!('value' in parsed)) throw new Problem('malformed-body', `the body cannot be read: ${parsed.refused}`);
  return isObject(parsed.value) ? { ...parsed.value, taskId: inject.taskId } : parsed.value;
}

async function written<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isWriteFault(cause) || cause instanceof Problem) throw cause;
    throw new Problem('unwatched', 'the reminder could not be written, and is not kept: send it again', {}, { cause });
  }
}
