// Tells whoever asked to be told of a task, in order, again and again until it is taken: by any process, one at a time.
// It must never call an address that this deployment does not call, nor follow where it is sent on; and who is slow to take
// what it is told must delay nobody else.
import { StreamResponse, type TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { LoggerService } from '@nestjs/common';
import { AddressRefusedError, type OutboundCalls } from '#outbound';
import { type Clock, type Random, retryDelayMs, SealBrokenError, WakeUp } from '#runtime';
import { lookAgain } from '../look-again.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { TaskEvent } from '../task/task-event.ts';
import type { TaskIdentity } from '../task/task-life.ts';
import { isOver } from '../task/task-state.ts';
import { type ToldEvent, toStreamResponse } from '../task/told-task.ts';
import type { PushConfigs } from './push-configs.ts';
import type { DuePush } from './push-store.ts';

export interface PusherOptions {
  readonly application: string;
  readonly store: Pick<PushConfigs, 'claim' | 'open' | 'told' | 'failed'>;
  readonly tasks: Pick<TaskStore, 'eventsAfter'>;
  readonly calls: Pick<OutboundCalls, 'fetch'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: LoggerService;
}

const lookEveryMs = 250;
const mostAtOnce = 32;
/** Of one user. */
const mostOfUser = 8;
/** Then it is another's turn. */
const eventsOfTurn = 20;
const patienceMs = 10_000;
const claimMs = 3 * patienceMs;
/** Some two days, with all delays at their longest. */
const mostFailures = 200;
const backoff = { baseMs: 1_000, capMs: 900_000 };

/** It will not be taken, however often it is sent. */
class PushRefusedError extends Error {
  override readonly name = 'PushRefusedError';
  readonly retryable = false;
}

export class Pusher {
  private readonly stopped = new AbortController();
  private readonly wakeUp: WakeUp;
  /** By what is being told, its user. */
  private readonly telling = new Map<Promise<void>, string>();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PusherOptions) {
    this.wakeUp = new WakeUp(options.clock);
  }

  start(): void {
    const { log } = this.options;
    this.running = lookAgain(() => this.look(), {
      signal: this.stopped.signal,
      report: (fault) => void log.warn(String(fault), 'AgentHost'),
      pause: (signal) => this.wakeUp.sleep(lookEveryMs, signal),
    });
  }

  async close(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await Promise.all(this.telling.keys());
  }

  /** Begins what is due, as much as there is room for. */
  private async look(): Promise<void> {
    const { application, store } = this.options;
    while (this.telling.size < mostAtOnce && !this.stopped.signal.aborted) {
      const push = await store.claim(application, claimMs, this.busyUsers());
      if (push === undefined) return;
      const telling = this.tell(push).finally(() => {
        this.telling.delete(telling);
        this.wakeUp.wake();
      });
      this.telling.set(telling, push.key.user);
    }
  }

  private busyUsers(): readonly string[] {
    const users = [...this.telling.values()];
    return [...new Set(users)].filter((user) => users.filter((other) => other === user).length >= mostOfUser);
  }

  private async tell(push: DuePush): Promise<void> {
    const { store, tasks } = this.options;
    try {
      const config = store.open(push);
      const events = await tasks.eventsAfter(push.key, push.toldVersion, eventsOfTurn);
      const { taskId } = push.key;
      for (const [index, event] of events.entries()) {
        if (this.stopped.signal.aborted) {
          await store.told(push, push.toldVersion + index, 0, false);
          return;
        }
        // Reminders are for streams alone.
        if (event.type !== 'reminderUpdated') await this.send(config, event, { taskId, contextId: push.contextId });
        const isEnd = index === events.length - 1;
        await store.told(push, push.toldVersion + index + 1, isEnd ? 0 : claimMs, isEnd && isLast(event));
      }
    } catch (error) {
      await this.note(push, error);
    }
  }

  private async send(config: TaskPushNotificationConfig, event: ToldEvent, identity: TaskIdentity): Promise<void> {
    const { calls, clock } = this.options;
    const { scheme, credentials } = config.authentication ?? { scheme: '', credentials: '' };
    const late = new AbortController();
    const done = new AbortController();
    const waiting = clock.sleep(patienceMs, done.signal).then(() => late.abort());
    try {
      const told = toStreamResponse(event, identity);
      const response = await calls.fetch(config.url, {
        method: 'POST',
        body: JSON.stringify(StreamResponse.toJSON(told)),
        headers: {
          'content-type': 'application/a2a+json',
          ...(scheme !== '' && { authorization: `${scheme} ${credentials}`.trim() }),
          ...(config.token !== '' && { 'x-a2a-notification-token': config.token }),
        },
        signal: late.signal,
      });
      await response.body?.cancel();
      if (response.status === 410) throw new PushRefusedError('its receiver is gone (410)');
      if (!response.ok) throw new Error(`it is answered ${response.status}`);
    } finally {
      done.abort();
      await waiting;
    }
  }

  private async note(push: DuePush, error: unknown): Promise<void> {
    const { log, random, store } = this.options;
    const cause = error instanceof Error ? error.cause : undefined;
    const isHopeless = error instanceof PushRefusedError || cause instanceof AddressRefusedError;
    // Sealed with another key than this process has: another process may have it.
    if (error instanceof SealBrokenError)
      log.error(`pushes of task ${push.key.taskId}: ${String(error)}: DUEWATCH_SEAL_KEY is not the one`, 'AgentHost');
    const failuresCount = push.failuresCount + 1;
    const delayMs =
      isHopeless || failuresCount >= mostFailures ? undefined : retryDelayMs(failuresCount, backoff, random);
    if (delayMs === undefined)
      log.warn(`pushes of task ${push.key.taskId} are given up: ${String(cause ?? error)}`, 'AgentHost');
    await store.failed(push, delayMs).catch((fault: unknown) => void log.warn(String(fault), 'AgentHost'));
  }
}

function isLast(event: TaskEvent): boolean {
  return event.type === 'statusChanged' && isOver(event.state);
}
