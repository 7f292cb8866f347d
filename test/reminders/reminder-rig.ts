// The watcher's own reminders between a story's log and an agent that is served by the host, in this process.
import { formatInstant } from '#expectations';
import { SdkMessenger } from '#protocol';
import { type Clock, type ReminderWish, systemClock, type Untold } from '#runtime';
import { DispatchRig, loopbackOutbound, until } from '#testing';
import { Dispatcher } from '../../apps/dispatcher/src/dispatcher.ts';
import { openDispatchDatabase } from '../../apps/dispatcher/src/outbox/dispatch-database.ts';
import { ReminderInjector } from '../../apps/dispatcher/src/reminders/reminder-injector.ts';
import type { ReminderEnd, ReminderPorts } from '../../apps/dispatcher/src/reminders/reminders.ts';
import { capabilities, RemindedService } from '../agent-host/reminded-service.ts';
import { pathOf, type Way } from '../agent-host/served-agent.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
const uri = 'https://rsaxb.com/a2a/expectations/v1';
const now = () => systemClock.now();

export type Inject = ReminderPorts['injector']['inject'];

interface Setup {
  /** How far the dispatcher's clock is ahead: what is due in 75 minutes is due soon to one that is half an hour ahead. */
  readonly aheadMs?: number;
  readonly inject?: Inject;
}

export class ReminderRig {
  readonly service = new RemindedService();
  wishes = new Map<string, ReminderWish>();
  untold: Untold[] = [];
  private dispatchers: Dispatcher[] = [];
  private readonly outbound = loopbackOutbound();
  private readonly injector = new ReminderInjector({ outbound: this.outbound, now });
  readonly dispatch = new DispatchRig<Setup>(openDispatchDatabase, (_, setup) => this.dispatcher(setup));

  async open(): Promise<void> {
    await Promise.all([this.dispatch.open(), this.service.start()]);
  }

  async close(): Promise<void> {
    await Promise.all([this.dispatch.close(), this.service.close()]);
    await this.outbound.close();
  }

  async begin(): Promise<void> {
    this.service.forget();
    [this.untold, this.dispatchers] = [[], []];
    this.wishes = new Map([['booking', { beforeDueMs: hourMs, lapsed: true }]]);
    await this.dispatch.begin();
    this.reach(['JSONRPC', '1.0']);
  }

  end(): Promise<void> {
    return this.dispatch.end();
  }

  readonly inject: Inject = (...call) => this.injector.inject(...call);

  /** The served agent is the story's, called in that way. */
  reach(way: Way, card: object = { capabilities }): void {
    const [protocolBinding, protocolVersion] = way;
    const supportedInterfaces = [{ url: `${this.service.served.url}${pathOf(way)}`, protocolBinding, protocolVersion }];
    this.dispatch.targets.set('booking', { card: { supportedInterfaces, ...card } });
  }

  /** The task raises it; due in 75 minutes unless told. */
  raise(taskId: string, expectationId: string, more: object = {}, agentId = 'booking'): Promise<void> {
    const content = {
      ...{ expectationId, kind: 'departure', subject: { type: 'flight', id: expectationId } },
      ...{ expects: `${expectationId} departs`, satisfiedBy: { factKey: `departed:${expectationId}` } },
      ...{ dueAt: dueIn(75 * minuteMs), basis: 'observed', ...more },
    };
    const artifact = { artifactId: expectationId, metadata: { [uri]: { expectations: [content] } } };
    return this.dispatch.story.tell({ type: 'artifactObserved', agentId, taskId, contextId: 'c', artifact });
  }

  report(expectationId: string): Promise<void> {
    const facts = [{ factKey: `departed:${expectationId}`, observedAt: dueIn(0) }];
    return this.dispatch.story.tell({ type: 'factsReported', reporter: 'tower', facts });
  }

  /** How many have ended so, by all dispatchers of the test. */
  ended(end: ReminderEnd): number {
    return this.dispatchers.reduce((sum, { remindersEnded }) => sum + remindersEnded[end], 0);
  }

  untilEnded(end: ReminderEnd, count = 1): Promise<void> {
    return until(() => this.ended(end) >= count, `${count} ${end}`);
  }

  untilFollowed(): Promise<void> {
    return until(async () => {
      const { log, partition } = this.dispatch.story;
      const { end } = await log.bounds('ledger', partition);
      return this.dispatchers.some(({ followed }) =>
        followed.some((each) => each.partition === partition && each.nextOffset >= end),
      );
    }, 'the end of the ledger');
  }

  /** A task that goes on. */
  async running(): Promise<string> {
    return (await this.service.sent('later')).id;
  }

  /** What the task's next turn is told. */
  told(taskId: string): Promise<readonly string[] | undefined> {
    return this.service.turn(taskId, 'later');
  }

  rows(): Promise<{ about: string; state: string; failuresCount: number }[]> {
    return this.dispatch.database.query(
      'SELECT about, state, failures_count AS "failuresCount" FROM duewatch_dispatch.reminder',
    );
  }

  /** Nothing waits to be told. */
  untilQuiet(): Promise<void> {
    return until(async () => (await this.rows()).every(({ state }) => state === 'kept'), 'the end of all');
  }

  private dispatcher({ aheadMs = 0, inject = this.inject }: Setup): Dispatcher {
    const { story, database, targets } = this.dispatch;
    const clock: Clock = { now: () => now() + aheadMs, sleep: (ms, signal) => systemClock.sleep(ms, signal) };
    const reminders: ReminderPorts = {
      wishes: {
        of: async (agents) =>
          agents.flatMap((agent) => {
            const wish = this.wishes.get(agent.agentId);
            return wish === undefined ? [] : { ...agent, ...wish };
          }),
        find: async (_, agentId) => this.wishes.get(agentId),
      },
      troubles: {
        reminderUntold: async (_, __, untold) => void this.untold.push(untold),
        reminderTold: async () => undefined,
      },
      injector: { inject },
    };
    const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
    const messenger = new SdkMessenger({ outbound: this.outbound, now });
    const options = { backoff: { baseMs: 20, capMs: 100 }, remindersPerMinute: 60_000, stopGraceMs: 0 };
    const given = [directory, messenger, clock, { fraction: () => 0.5 }, undefined, options, undefined] as const;
    const dispatcher = new Dispatcher(story.log, database, ...given, reminders);
    this.dispatchers.push(dispatcher);
    return dispatcher;
  }
}

/** As an instant is told: a text with a zero at its end would be another. */
export function dueIn(ms: number): string {
  return formatInstant(now() + ms);
}
