// Injects reminders into agents' running tasks, where their cards say that they take them; what an answer means is the RFC's
// error table. It must never claim that a task was told where that is not known: the same id is sent again for that.
import type { Outbound } from '#outbound';
import {
  AgentCalls,
  type AgentTarget,
  callPlainly,
  isList,
  isObject,
  member,
  type PlainAnswer,
  SdkTaskReader,
  TaskReadError,
} from '#protocol';
import { isTerminal } from '#expectations';
import { type DeclaredReminders, INJECT_METHOD, INJECT_VERB, readReminderCapability, REMINDERS_URI } from '#reminders';
import type { Untold } from '#runtime';
import { injectedReminder, type OwnReminder } from './own-reminder.ts';

export type InjectOutcome =
  /** The agent has it: now, or since it was sent before. */
  | { readonly outcome: 'told' }
  /** The task has ended. */
  | { readonly outcome: 'over' }
  | ({ readonly outcome: 'untold' } & Untold)
  /** It may have it or not: to be sent again. `retryAfterMs` is what it asked for, unbounded. */
  | { readonly outcome: 'away'; readonly message: string; readonly retryAfterMs?: number };

export interface ReminderInjectorOptions {
  readonly outbound: Outbound;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Of one request and its answer; 10 s unless given. */
  readonly timeoutMs?: number;
}

export class ReminderInjector {
  private readonly calls: AgentCalls;
  private readonly tasks: SdkTaskReader;
  private readonly now: () => number;
  private readonly timeoutMs: number;

  constructor({ outbound, now, timeoutMs = 10_000 }: ReminderInjectorOptions) {
    this.calls = new AgentCalls({ outbound, now });
    this.tasks = new SdkTaskReader({ outbound, now, timeoutMs });
    this.now = now;
    this.timeoutMs = timeoutMs;
  }

  /** Sends it once. Never throws for what an agent or a network can do; an abort by `signal` ends as `away`. */
  async inject(
    target: AgentTarget,
    taskId: string,
    reminder: OwnReminder,
    signal: AbortSignal,
  ): Promise<InjectOutcome> {
    const declared = readReminderCapability(target.card);
    if (declared?.inject !== true) {
      return { outcome: 'untold', cause: 'unsupported', message: 'its card declares no reminders' };
    }
    const call = {
      ...{ method: INJECT_METHOD, path: `/tasks/${encodeURIComponent(taskId)}${INJECT_VERB}`, inPath: ['taskId'] },
      params: { taskId, reminder: injectedReminder(reminder, declared) },
      extensions: extensionsOf(declared),
    };
    const { timeoutMs, now } = this;
    const said = meaningOf(await callPlainly(this.calls, target, call, { timeoutMs, now, signal }));
    return said.outcome === 'malformed' ? this.whyRefused(target, taskId, said.message, signal) : said;
  }

  /** The RFC has one code for what is malformed and for a task that has ended: the agent is asked which of them it was. */
  private async whyRefused(
    target: AgentTarget,
    taskId: string,
    message: string,
    signal: AbortSignal,
  ): Promise<InjectOutcome> {
    try {
      const { task } = await this.tasks.read(target, taskId, signal);
      const status = isObject(task) ? member(task, 'status') : undefined;
      const state = isObject(status) ? member(status, 'state') : undefined;
      if (typeof state === 'string' && isTerminal(state)) return { outcome: 'over' };
      return { outcome: 'untold', cause: 'refused', message };
    } catch (error) {
      if (!(error instanceof TaskReadError)) throw error;
      if (error.fault !== 'away') return { outcome: 'untold', cause: 'refused', message };
      const { retryAfterMs } = error;
      return { outcome: 'away', message: error.message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
  }
}

type Meaning = InjectOutcome | { readonly outcome: 'malformed'; readonly message: string };

const taskNotFound = -32_001;
const unsupportedCodes: readonly unknown[] = [-32_601, -32_004];
const malformed = -32_602;
const internal = -32_603;

function extensionsOf({ extension }: DeclaredReminders): readonly string[] {
  return extension ? [REMINDERS_URI] : [];
}

function meaningOf(answer: PlainAnswer): Meaning {
  switch (answer.outcome) {
    case 'answered':
      return meaningOfJson(answer);
    case 'refused':
      return untold('refused', answer.cause);
    case 'unreachable':
    case 'unknown': {
      const { cause, retryAfterMs } = answer;
      return { outcome: 'away', message: cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
  }
}

function meaningOfJson({ status, json }: Extract<PlainAnswer, { readonly outcome: 'answered' }>): Meaning {
  const error = errorIn(json);
  if (error === undefined) {
    if (status >= 200 && status < 300 && isObject(json)) return { outcome: 'told' };
    if (status === 404 || status === 405 || status === 501) return untold('unsupported', `HTTP ${status}`);
    // What is no JSON is not this method's answer: a proxy, or an agent in trouble.
    return status < 300
      ? { outcome: 'away', message: 'its answer cannot be read' }
      : untold('refused', `HTTP ${status}`);
  }
  const said = textOf(error, status);
  const code = member(error, 'code');
  if (code === taskNotFound || reasonsOf(error).includes('TASK_NOT_FOUND')) return untold('unknownTask', said);
  if (unsupportedCodes.includes(code) || [404, 405, 501].includes(status)) return untold('unsupported', said);
  if (code === malformed || (status === 400 && (code === 400 || typeof code !== 'number')))
    return malformedFor(error, said);
  return code === internal ? { outcome: 'away', message: said } : untold('refused', said);
}

/** An extension that is required and that the card does not declare is refused as such in either binding. */
function malformedFor(error: ReturnType<typeof errorIn>, message: string): Meaning {
  const isRequired = reasonsOf(error).includes('EXTENSION_SUPPORT_REQUIRED');
  return isRequired ? untold('refused', message) : { outcome: 'malformed', message };
}

/** JSON-RPC's, that of HTTP+JSON in 1.0, and in 0.3, where it is the body itself. */
function errorIn(json: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(json)) return undefined;
  const error = member(json, 'error');
  if (isObject(error)) return error;
  return typeof member(json, 'code') === 'number' && typeof member(json, 'message') === 'string' ? json : undefined;
}

function reasonsOf(error: ReturnType<typeof errorIn>): readonly unknown[] {
  const details = [member(error ?? {}, 'details'), member(error ?? {}, 'data')].find(isList) ?? [];
  return details.map((detail) => (isObject(detail) ? member(detail, 'reason') : undefined));
}

const messageCharacters = 300;

function textOf(error: Readonly<Record<string, unknown>>, status: number): string {
  const message = member(error, 'message');
  const text = typeof message === 'string' && message !== '' ? message : 'no reason given';
  return `${status < 300 ? '' : `HTTP ${status}: `}${text}`
    .replaceAll('\0', ' ')
    .replace(/\p{Surrogate}/gu, ' ')
    .slice(0, messageCharacters);
}

function untold(cause: Untold['cause'], message: string): Meaning {
  return { outcome: 'untold', cause, message };
}
