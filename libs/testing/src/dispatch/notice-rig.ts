// Runs a dispatcher that tells people: a story's lapses, a real receiver over HTTP, and sinks that a test sets.
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Serve } from '#event-log';
import { type Clock, type KnownSink, type SinkAddress, type SinkFailure, type SinkRule, systemClock } from '#runtime';
import { loopbackOutbound } from '../edges/loopback-outbound.ts';
import { type ReceivedWebhook, WebhookReceiver } from '../edges/webhook-receiver.ts';
import { DispatchRig } from './dispatch-rig.ts';
import { until } from './dispatch-story.ts';

type SetSink = KnownSink & { readonly address: SinkAddress };
type NotedFailure = SinkFailure & { readonly tenant: string; readonly sinkId: string };

interface Setup {
  readonly clock?: Clock;
}

/** What a dispatcher is made of, in its order. */
type Ports = ReturnType<NoticeRig['portsFor']>;

/** One a suite; `begin` and `end` around each test. */
export class NoticeRig {
  sinks: SetSink[] = [];
  failures: NotedFailure[] = [];
  receiver!: WebhookReceiver;
  readonly dispatch: DispatchRig<Setup>;
  /** The directory that the dispatcher asks. */
  readonly known = {
    of: async (tenants: readonly string[]) => this.sinks.filter(({ tenant }) => tenants.includes(tenant)),
    find: async (tenant: string, sinkId: string) =>
      this.sinks.find((sink) => sink.tenant === tenant && sink.sinkId === sinkId)?.address,
    noteFailure: async (tenant: string, sinkId: string, failure: SinkFailure) =>
      void this.failures.push({ tenant, sinkId, ...failure }),
  };

  constructor(openDatabase: (url: string) => Promise<DataSource>, make: (ports: Ports) => { serve: Serve }) {
    this.dispatch = new DispatchRig(openDatabase, (_, { clock }) => make(this.portsFor(clock ?? systemClock)));
  }

  open(): Promise<void> {
    Logger.overrideLogger(false);
    return this.dispatch.open();
  }

  close(): Promise<void> {
    return this.dispatch.close();
  }

  async begin(): Promise<void> {
    [this.sinks, this.failures] = [[], []];
    this.receiver = await new WebhookReceiver().start();
    await this.dispatch.begin();
  }

  async end(): Promise<void> {
    await this.dispatch.end();
    await this.receiver.close();
  }

  /** Unless the rule says otherwise each lapse is told at once. */
  addSink(sinkId: string, address: Partial<SinkAddress> = {}, rule: Partial<SinkRule> = {}, tenant = 'acme'): void {
    const full: SinkAddress = { type: 'cloudevents', url: this.receiver.url, ...address };
    const madeAt = new Date(systemClock.now());
    this.sinks.push({ tenant, sinkId, type: full.type, madeAt, rule: { groupBySeconds: 0, ...rule }, address: full });
  }

  untilReceived(count: number, of = this.receiver): Promise<void> {
    return until(() => of.received.length >= count, `${count} notifications`);
  }

  async noticesLeft(): Promise<number> {
    return (await this.dispatch.database.query<unknown[]>('SELECT FROM duewatch_dispatch.notice')).length;
  }

  untilNoneLeft(): Promise<void> {
    return until(async () => (await this.noticesLeft()) === 0, 'no notice left');
  }

  private portsFor(clock: Clock) {
    const { story, database, targets } = this.dispatch;
    const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
    const messenger = {
      timeoutMs: 1_000,
      send: async () => ({ outcome: 'acknowledged' as const, taskId: 't' }),
      find: async () => ({ outcome: 'absent' as const }),
    };
    const options = { backoff: { baseMs: 20, capMs: 200 }, stopGraceMs: 100 };
    const notices = { sinks: this.known, outbound: loopbackOutbound() };
    const random = { fraction: () => 0.5 };
    return [story.log, database, directory, messenger, clock, random, undefined, options, notices] as const;
  }
}

/** A CloudEvent of lapses, as it was received. */
export function lapsesEvent({ text }: ReceivedWebhook): {
  readonly id: string;
  readonly data: { readonly lapses: { readonly expectationId: string }[]; readonly moreCount: number };
} {
  return JSON.parse(text) as ReturnType<typeof lapsesEvent>;
}
