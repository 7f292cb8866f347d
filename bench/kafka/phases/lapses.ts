// Lapses: how late they are by the log's clock, what very many at one instant do to everybody else, and what a timekeeper
// that was down has to catch up with.
import { decodeLedger, encodeInbox, type LogRecord } from '#event-log';
import { HttpLoad, type Sent } from '../../embedded/http-load.ts';
import { atMost, milliseconds, percentile, printRow, seconds } from '../../embedded/report.ts';
import type { Tenant } from '../../embedded/tenants.ts';
import { type KafkaBench, until } from '../kafka-bench.ts';

const BATCH = 500;
const FACTS_A_SECOND = 500;
const WARM_UP_MS = 2_000;

interface Lapsed {
  readonly dueAt: number;
  readonly appendedAt: number;
}

/** 1,000 deadlines a second, and facts beside them. */
export async function measureLateness(bench: KafkaBench): Promise<void> {
  const [tenant, ...others] = bench.tenants;
  if (tenant === undefined) return;
  const durationMs = Math.max(3_000, 20_000 * bench.scale);
  const count = Math.round(durationMs / BATCH) * BATCH;
  const firstDueAt = Date.now() + WARM_UP_MS + 2_000 + count / 2;
  const dueAt = (nth: number): number => Math.round(firstDueAt + (nth * durationMs) / count);
  const { lapsed } = await underLoad(bench, tenant, others, { count, dueAt, untilMs: firstDueAt + durationMs });
  const late = lapsed.map((one) => one.appendedAt - one.dueAt);
  printRow({
    what: `lateness p50, ${FACTS_A_SECOND} facts/s beside it`,
    ...atMost(percentile(late, 0.5), 30, milliseconds),
    note: `${lapsed.length} of ${count} lapses`,
  });
  printRow({ what: 'lateness p99', ...atMost(percentile(late, 0.99), 100, milliseconds) });
}

/** Very many deadlines of one tenant at one instant. */
export async function measureHerd(bench: KafkaBench): Promise<void> {
  const [tenant, ...others] = bench.tenants;
  if (tenant === undefined) return;
  const count = bench.bodies.scaled(50_000, BATCH);
  const dueAt = Date.now() + WARM_UP_MS + 4_000 + count / 2;
  const { lapsed, behind, beside } = await underLoad(bench, tenant, others.slice(0, 1), {
    count,
    dueAt: () => dueAt,
    untilMs: dueAt + 500,
    isWithOwnFacts: true,
  });
  const lastAt = lapsed.reduce((last, { appendedAt }) => Math.max(last, appendedAt), dueAt);
  const meanwhile = (sent: readonly Sent[]): readonly Sent[] => sent.filter(({ at }) => at >= dueAt && at <= lastAt);
  const what = `a herd of ${count.toLocaleString('en')}: all of it in the ledger`;
  printRow({
    what,
    ...atMost((lastAt - dueAt) / 1_000, 1.6, seconds),
    note: `${lapsed.length} of ${count} lapses`,
  });
  const answered = meanwhile(behind).reduce((last, { at, latencyMs }) => Math.max(last, at + latencyMs), lastAt);
  printRow({
    what: '… facts of its tenant behind it, after it',
    ...atMost((answered - lastAt) / 1_000, 0.5, seconds),
    note: `of ${meanwhile(behind).length}`,
  });
  const latencies = meanwhile(beside).map(({ latencyMs }) => latencyMs);
  printRow({
    what: '… facts of other partitions meanwhile, p99',
    ...atMost(percentile(latencies, 0.99), 200, milliseconds),
    note: `of ${latencies.length}`,
  });
}

/** Ten minutes' worth of facts at 500 a second that came while no timekeeper ran. */
export async function measureCatchUp(bench: KafkaBench): Promise<void> {
  const count = bench.bodies.scaled(600 * FACTS_A_SECOND, BATCH * bench.tenants.length);
  await bench.stopApp('timekeeper');
  const bodies = bench.bodies.make(count, BATCH, (make) => make.unmatched(BATCH));
  await appendAll(bench, bodies);
  const readyMs = await bench.startApp('timekeeper');
  const startedAt = performance.now();
  const timekeeper = bench.app('timekeeper');
  await until(async () => (await timekeeper.metric('duewatch_inbox_undecided_records')) === 0);
  const taken = readyMs / 1_000 + (performance.now() - startedAt) / 1_000;
  printRow({
    what: 'catch-up after 10 minutes at 500 facts/s',
    reached: seconds(taken),
    note: `${count.toLocaleString('en')} facts, ${seconds(readyMs / 1_000)} of it the start`,
  });
}

/** Past the edge, which would hold back a tenant that has so much undecided. */
async function appendAll(bench: KafkaBench, bodies: ReadonlyMap<Tenant, readonly Buffer[]>): Promise<void> {
  for (const [tenant, own] of bodies) {
    for (const body of own) {
      const facts = JSON.parse(body.toString()) as never;
      const value = encodeInbox({ type: 'factsReported', reporter: 'carrier-feed', facts });
      await bench.log.append(tenant.partition, [{ tenant: tenant.name, value }]);
    }
  }
}

interface Deadlines {
  readonly count: number;
  /** Epoch milliseconds of the nth. */
  readonly dueAt: (nth: number) => number;
  /** How long there is load. */
  readonly untilMs: number;
  readonly isWithOwnFacts?: boolean;
}

async function underLoad(
  bench: KafkaBench,
  tenant: Tenant,
  others: readonly Tenant[],
  deadlines: Deadlines,
): Promise<{ readonly lapsed: readonly Lapsed[]; readonly behind: readonly Sent[]; readonly beside: readonly Sent[] }> {
  const bodies: Buffer[] = [];
  for (let from = 0; from < deadlines.count; from += BATCH) {
    bodies.push(bench.bodies.of(tenant).expectations(BATCH, BATCH, (nth) => deadlines.dueAt(from + nth)));
  }
  await bench.drive('intake', '/v1/observations', new Map([[tenant, bodies]]));
  if (Date.now() > deadlines.dueAt(0) - WARM_UP_MS) throw new Error('recording took longer than there was time for');
  const { end } = await bench.log.bounds('ledger', tenant.partition);
  const load = new HttpLoad(bench.app('facts').url, 16);
  const paced = (by: Tenant, aSecond: number, signal: AbortSignal): Promise<Sent[]> =>
    load.pace(by, '/v1/facts', aSecond, () => bench.bodies.of(by).single(), signal);
  const ending = new AbortController();
  const own = paced(tenant, deadlines.isWithOwnFacts === true ? FACTS_A_SECOND / 5 : 1, ending.signal);
  const facts = Promise.all(others.map((other) => paced(other, FACTS_A_SECOND / others.length, ending.signal)));
  await new Promise((resolve) => setTimeout(resolve, deadlines.untilMs - Date.now()));
  ending.abort();
  const [behind, beside] = await Promise.all([own, facts]);
  await load.close();
  return { lapsed: await lapsesFrom(bench, tenant.partition, end, deadlines.count), behind, beside: beside.flat() };
}

/** So many lapses from that offset on, waited for. */
async function lapsesFrom(bench: KafkaBench, partition: number, from: number, count: number): Promise<Lapsed[]> {
  const found: Lapsed[] = [];
  for (let next = from; found.length < count;) {
    await bench.log.waitFor('ledger', partition, next, 1_000);
    const records = await bench.log.read('ledger', partition, { from: next, limit: 1_000 });
    found.push(...records.flatMap(lapsesOf));
    next = (records.at(-1)?.offset ?? next - 1) + 1;
  }
  return found;
}

function lapsesOf({ value, appendedAt }: LogRecord): Lapsed[] {
  const entry = decodeLedger(value);
  if (!('events' in entry)) return [];
  return entry.events.flatMap((event) =>
    event.type === 'expectationLapsed' ? [{ dueAt: Date.parse(event.lapse.dueAt), appendedAt }] : [],
  );
}
