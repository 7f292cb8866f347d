// What lapsed in a run of the ledger, and what of that which is held as an alert is over, as notices for the sinks as they
// are known when it is read.
// It must never announce one lapse twice to a sink, nor what is old because tables were made anew.
import { createHash } from 'node:crypto';
import {
  type ExpectationLapsed,
  type ExpectationSatisfied,
  type ExpectationWithdrawn,
  parseInstant,
} from '#expectations';
import type { Clock, KnownSink, SinkRule } from '#runtime';
import type { Told } from '../ledger-follower.ts';
import { expectationKeyOf } from '../outbox/lapse-key.ts';
import type { Closing, OpenAlert } from './alert-rows.ts';
import { lapsesOfNotice, type NoticedLapse, noticedOf } from './notice.ts';
import type { Gathered, Gathering } from './notice-rows.ts';

/** What lapsed so long before a sink was set, or before the ledger is read for the first time, is no news. */
export const freshMs = 3_600_000;
/** What lapsed so long ago is no news, however long nobody has read. */
const mostAgeMs = 86_400_000;

interface Lapsed {
  readonly tenant: string;
  readonly event: ExpectationLapsed;
}

interface Closed extends Closing {
  readonly agentId: string;
}

export interface NoticeGatheringPorts {
  readonly clock: Clock;
  /** All sinks of these tenants. */
  readonly sinksOf: (tenants: readonly string[]) => Promise<readonly KnownSink[]>;
  /** The alerts of these expectations whose end is not known. */
  readonly openAlerts: (expectationKeys: readonly string[], now: Date) => Promise<readonly OpenAlert[]>;
}

/** A group as it grows. */
type Growing = Gathered & { readonly lapses: NoticedLapse[]; moreCount: number };

export class NoticeGathering {
  constructor(private readonly ports: NoticeGatheringPorts) {}

  /** What lapsed since an instant, and what is over, of which a sink is told. Throws faults of the tables that it asks. */
  async of(told: readonly Told[], since: Date): Promise<Gathering> {
    const lapsed = this.fresh(told.flatMap(lapsedIn), since);
    const closing = told.filter(({ event }) => isClosing(event));
    const sinks = await this.sinksOf([...lapsed, ...closing].map(({ tenant }) => tenant));
    // Almost all that is over is over in time, and of nobody's alerts: it costs no more than a look at its tenant's sinks.
    const ended = closing.filter(({ tenant }) => sinks.get(tenant)?.some(isAlerting));
    const closed = new Map(ended.flatMap(closedIn).map((each) => [each.expectationKey, each]));
    const open = await this.openOf([...closed.keys()]);
    const groups = new Map<string, Growing>();
    for (const { tenant, event } of lapsed) {
      const its = (sinks.get(tenant) ?? []).filter((sink) => isTold(sink, event));
      for (const sink of its) add(this.groupOf(groups, sink, event.agentId, event.lapse.kind), event);
    }
    for (const { tenant, sinkId, expectationKey, lapse } of open) {
      const sink = sinks.get(tenant)?.find((each) => each.sinkId === sinkId && isAlerting(each));
      if (sink) this.groupOf(groups, sink, closed.get(expectationKey)?.agentId ?? '', lapse.lapse.kind);
    }
    // What lapsed in the same run is no alert yet.
    const raised = lapsed.map(({ tenant, event }) => expectationKeyOf(tenant, event.agentId, event.expectationId));
    const known = new Set([...open.map(({ expectationKey }) => expectationKey), ...raised]);
    const closings = [...closed.values()].filter(({ expectationKey }) => known.has(expectationKey));
    return { groups: [...groups.values()], closings: groups.size === 0 ? [] : closings };
  }

  private async openOf(expectationKeys: readonly string[]): Promise<readonly OpenAlert[]> {
    if (expectationKeys.length === 0) return [];
    return this.ports.openAlerts(expectationKeys, new Date(this.ports.clock.now()));
  }

  private async sinksOf(tenants: readonly string[]): Promise<ReadonlyMap<string, readonly KnownSink[]>> {
    const byTenant = new Map<string, KnownSink[]>();
    if (tenants.length === 0) return byTenant;
    for (const sink of await this.ports.sinksOf([...new Set(tenants)])) {
      byTenant.set(sink.tenant, [...(byTenant.get(sink.tenant) ?? []), sink]);
    }
    return byTenant;
  }

  private fresh(lapsed: readonly Lapsed[], since: Date): readonly Lapsed[] {
    const fromMs = Math.max(since.getTime(), this.ports.clock.now() - mostAgeMs);
    return lapsed.filter(({ event }) => parseInstant(event.at) >= fromMs);
  }

  private groupOf(groups: Map<string, Growing>, sink: KnownSink, agentId: string, kind: string): Growing {
    const { tenant, sinkId, rule } = sink;
    const groupKey = createHash('sha256')
      .update(JSON.stringify([tenant, sinkId, agentId, kind]))
      .digest('hex');
    const known = groups.get(groupKey);
    if (known !== undefined) return known;
    const dueAt = new Date(this.ports.clock.now() + rule.groupBySeconds * 1_000);
    const of = { tenant, sinkId, groupKey, agentId, kind, dueAt, isAlerting: isAlerting(sink) };
    const begun = { ...of, lapses: [], moreCount: 0 };
    groups.set(groupKey, begun);
    return begun;
  }
}

function add(group: Growing, event: ExpectationLapsed): void {
  if (group.lapses.length < lapsesOfNotice) group.lapses.push(noticedOf(event));
  else group.moreCount += 1;
}

/** What it is told of stands there until it is told that it is over. */
function isAlerting({ type }: KnownSink): boolean {
  return type === 'alertmanager';
}

function lapsedIn({ tenant, event }: Told): readonly Lapsed[] {
  return event.type === 'expectationLapsed' ? [{ tenant, event }] : [];
}

function isClosing(event: Told['event']): event is ExpectationSatisfied | ExpectationWithdrawn {
  return event.type === 'expectationSatisfied' || event.type === 'expectationWithdrawn';
}

function closedIn({ tenant, event }: Told): readonly Closed[] {
  if (!isClosing(event)) return [];
  const { agentId, expectationId, at } = event;
  return [
    { agentId, expectationKey: expectationKeyOf(tenant, agentId, expectationId), at: new Date(parseInstant(at)) },
  ];
}

function isTold({ rule, madeAt }: KnownSink, event: ExpectationLapsed): boolean {
  return fits(rule, event) && parseInstant(event.at) >= madeAt.getTime() - freshMs;
}

function fits({ lapses, agentId, kind }: SinkRule, { lapse, agentId: whose }: ExpectationLapsed): boolean {
  const isOfAgent = agentId === undefined || agentId === whose;
  return isOfAgent && (kind === undefined || kind === lapse.kind) && (lapses?.includes(lapse.lapse) ?? true);
}
