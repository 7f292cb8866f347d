// What lapsed in a run of the ledger as notices, for the sinks as they are known when it is read.
// It must never announce one lapse twice to a sink, nor what is old because tables were made anew.
import { createHash } from 'node:crypto';
import { type ExpectationLapsed, parseInstant } from '#expectations';
import type { Clock, KnownSink, SinkRule } from '#runtime';
import type { Told } from '../ledger-follower.ts';
import { lapsesOfNotice, type NoticedLapse, noticedOf } from './notice.ts';
import type { Gathered } from './notice-rows.ts';

/** What lapsed so long before a sink was set, or before the ledger is read for the first time, is no news. */
export const freshMs = 3_600_000;
/** What lapsed so long ago is no news, however long nobody has read. */
const mostAgeMs = 86_400_000;

interface Lapsed {
  readonly tenant: string;
  readonly event: ExpectationLapsed;
}

export interface NoticeGatheringPorts {
  readonly clock: Clock;
  /** All sinks of these tenants. */
  readonly sinksOf: (tenants: readonly string[]) => Promise<readonly KnownSink[]>;
}

export class NoticeGathering {
  constructor(private readonly ports: NoticeGatheringPorts) {}

  /** By group, what lapsed since an instant and a sink is told of. Throws faults of the sinks' directory. */
  async of(told: readonly Told[], since: Date): Promise<readonly Gathered[]> {
    const lapsed = this.fresh(told.flatMap(lapsedIn), since);
    if (lapsed.length === 0) return [];
    const sinks = await this.ports.sinksOf([...new Set(lapsed.map(({ tenant }) => tenant))]);
    const byTenant = new Map<string, KnownSink[]>();
    for (const sink of sinks) byTenant.set(sink.tenant, [...(byTenant.get(sink.tenant) ?? []), sink]);
    const groups = new Map<string, Gathered & { readonly lapses: NoticedLapse[]; moreCount: number }>();
    for (const each of lapsed) {
      for (const sink of byTenant.get(each.tenant) ?? []) {
        if (!isTold(sink, each.event)) continue;
        const begun = this.groupOf(sink, each.event);
        const group = groups.get(begun.groupKey) ?? begun;
        groups.set(begun.groupKey, group);
        if (group.lapses.length < lapsesOfNotice) group.lapses.push(noticedOf(each.event));
        else group.moreCount += 1;
      }
    }
    return [...groups.values()];
  }

  private fresh(lapsed: readonly Lapsed[], since: Date): readonly Lapsed[] {
    const fromMs = Math.max(since.getTime(), this.ports.clock.now() - mostAgeMs);
    return lapsed.filter(({ event }) => parseInstant(event.at) >= fromMs);
  }

  private groupOf({ tenant, sinkId, rule }: KnownSink, { agentId, lapse: { kind } }: ExpectationLapsed) {
    const groupKey = createHash('sha256')
      .update(JSON.stringify([tenant, sinkId, agentId, kind]))
      .digest('hex');
    const dueAt = new Date(this.ports.clock.now() + rule.groupBySeconds * 1_000);
    return { tenant, sinkId, groupKey, agentId, kind, lapses: [] as NoticedLapse[], moreCount: 0, dueAt };
  }
}

function lapsedIn({ tenant, event }: Told): readonly Lapsed[] {
  return event.type === 'expectationLapsed' ? [{ tenant, event }] : [];
}

function isTold({ rule, madeAt }: KnownSink, event: ExpectationLapsed): boolean {
  return fits(rule, event) && parseInstant(event.at) >= madeAt.getTime() - freshMs;
}

function fits({ lapses, agentId, kind }: SinkRule, { lapse, agentId: whose }: ExpectationLapsed): boolean {
  const isOfAgent = agentId === undefined || agentId === whose;
  return isOfAgent && (kind === undefined || kind === lapse.kind) && (lapses?.includes(lapse.lapse) ?? true);
}
