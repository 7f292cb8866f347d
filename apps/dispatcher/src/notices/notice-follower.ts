// Follows one partition of the ledger into notices, for the sinks as they are known when a lapse is read.
// It must never announce one lapse twice to a sink, nor what is old because tables were made anew.
import { createHash } from 'node:crypto';
import { decodeLedger, type EventLog, type LogRecord } from '#event-log';
import { type ExpectationLapsed, parseInstant } from '#expectations';
import type { Clock, KnownSink, SinkRule } from '#runtime';
import { lapsesOfNotice, type NoticedLapse, noticedOf } from './notice.ts';
import type { Gathered, NoticeRows } from './notice-rows.ts';

const batchRecords = 500;
const idleMs = 30_000;
// A position is also written where so many records held no lapse: a start reads them all again.
const silentRecords = 5_000;
/** What lapsed so long before a sink was set, or before the ledger is read for the first time, is no news. */
const freshMs = 3_600_000;
/** What lapsed so long ago is no news, however long nobody has read. */
const mostAgeMs = 86_400_000;

interface Lapsed {
  readonly tenant: string;
  readonly event: ExpectationLapsed;
}

export interface NoticeFollowerPorts {
  readonly log: EventLog;
  readonly rows: NoticeRows;
  readonly clock: Clock;
  /** All sinks of these tenants. */
  readonly sinksOf: (tenants: readonly string[]) => Promise<readonly KnownSink[]>;
}

export class NoticeFollower {
  private position: number | undefined;
  private writtenPosition = 0;
  private since = new Date(0);

  /** `onGathered` is told where there are new notices. */
  constructor(
    private readonly partition: number,
    private readonly ports: NoticeFollowerPorts,
    private readonly onGathered: () => void,
  ) {}

  /** A wait for a run of the ledger, and the run. Throws faults of the log and of the database; may be called again. */
  async pass(signal: AbortSignal): Promise<true> {
    const { log } = this.ports;
    const position = this.position ?? (await this.begin());
    await log.waitFor('ledger', this.partition, position, idleMs, signal);
    if (await this.read(position)) return true;
    // Asked before the records: up to here nothing is missing where another read finds nothing.
    const { end } = await log.bounds('ledger', this.partition);
    if (!(await this.read(position))) this.position = Math.max(position, end);
    return true;
  }

  private async begin(): Promise<number> {
    const { rows, clock } = this.ports;
    const { nextOffset, since } = await rows.begin(new Date(clock.now() - freshMs));
    this.since = since;
    this.position = this.writtenPosition = nextOffset;
    return nextOffset;
  }

  /** False where there is nothing. */
  private async read(from: number): Promise<boolean> {
    const { log, rows, clock } = this.ports;
    const records = await log.read('ledger', this.partition, { from, limit: batchRecords });
    const last = records.at(-1);
    if (last === undefined) return false;
    const next = last.offset + 1;
    const lapsed = this.fresh(records.flatMap(lapsedIn));
    const gathered = lapsed.length === 0 ? [] : await this.gather(lapsed);
    if (gathered.length > 0 || next - this.writtenPosition >= silentRecords) {
      await rows.follow(gathered, next, new Date(clock.now()));
      this.writtenPosition = next;
    }
    this.position = next;
    if (gathered.length > 0) this.onGathered();
    return true;
  }

  private fresh(lapsed: readonly Lapsed[]): readonly Lapsed[] {
    const fromMs = Math.max(this.since.getTime(), this.ports.clock.now() - mostAgeMs);
    return lapsed.filter(({ event }) => parseInstant(event.at) >= fromMs);
  }

  private async gather(lapsed: readonly Lapsed[]): Promise<readonly Gathered[]> {
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

  private groupOf({ tenant, sinkId, rule }: KnownSink, { agentId, lapse: { kind } }: ExpectationLapsed) {
    const groupKey = createHash('sha256')
      .update(JSON.stringify([tenant, sinkId, agentId, kind]))
      .digest('hex');
    const dueAt = new Date(this.ports.clock.now() + rule.groupBySeconds * 1_000);
    return { tenant, sinkId, groupKey, agentId, kind, lapses: [] as NoticedLapse[], moreCount: 0, dueAt };
  }
}

function lapsedIn({ tenant, value }: LogRecord): readonly Lapsed[] {
  const entry = decodeLedger(value);
  if (tenant === null || !('events' in entry)) return [];
  return entry.events.flatMap((event) => (event.type === 'expectationLapsed' ? { tenant, event } : []));
}

function isTold({ rule, madeAt }: KnownSink, event: ExpectationLapsed): boolean {
  return fits(rule, event) && parseInstant(event.at) >= madeAt.getTime() - freshMs;
}

function fits({ lapses, agentId, kind }: SinkRule, { lapse, agentId: whose }: ExpectationLapsed): boolean {
  const isOfAgent = agentId === undefined || agentId === whose;
  return isOfAgent && (kind === undefined || kind === lapse.kind) && (lapses?.includes(lapse.lapse) ?? true);
}
