// Lapses: how late they are, and what becomes of everybody else when very many are due at once.
import type { BenchRun } from '../bench-run.ts';
import type { FoundLapse } from '../database.ts';
import { HttpLoad, type Sent } from '../http-load.ts';
import { flushMs } from '../limits.ts';
import { atMost, milliseconds, percentile, printRow, seconds } from '../report.ts';
import type { Tenant } from '../tenants.ts';
import type { Limits } from './limits.ts';

const BATCH = 500;
const FACTS_A_SECOND = 500;
/** Of load before the first deadline. */
const WARM_UP_MS = 1_500;

/** 1,000 deadlines a second, and facts beside them. */
export async function measureLateness(run: BenchRun, limits: Limits | undefined): Promise<void> {
  const [tenant, ...others] = run.tenants;
  if (tenant === undefined) return;
  const durationMs = Math.max(3_000, 20_000 * run.options.scale);
  const count = Math.round(durationMs / BATCH) * BATCH;
  const firstDueAt = Date.now() + WARM_UP_MS + 2_000 + count / 5;
  const { found } = await underLoad(run, tenant, others, {
    count,
    dueAt: (nth) => Math.round(firstDueAt + (nth * durationMs) / count),
    untilMs: firstDueAt + durationMs,
  });
  if (found.length !== count) throw new Error(`the bench is wrong: ${found.length} lapses instead of ${count}`);
  const flush = limits?.flushMs ?? (await flushMs(run.watcher.dataDirectory));
  const byLog = found.map(({ appendedAt, dueAt }) => appendedAt - dueAt);
  const heard = found.map(({ heardAt, dueAt }) => heardAt - dueAt);
  const beside = `${FACTS_A_SECOND} facts/s beside it`;
  const note = `by the log's clock, before the commit: ${milliseconds(percentile(byLog, 0.5))}`;
  printRow({ what: `lateness p50, ${beside}`, ...atMost(percentile(heard, 0.5), 4 + 3 * flush, milliseconds), note });
  printRow({
    what: 'lateness p99',
    ...atMost(percentile(heard, 0.99), 30, milliseconds),
    note: milliseconds(percentile(byLog, 0.99)),
  });
}

/** Very many deadlines of one tenant at one instant; facts of that tenant, and of one in another partition. */
export async function measureHerd(run: BenchRun): Promise<void> {
  const [tenant, other] = run.tenants;
  if (tenant === undefined || other === undefined) return;
  const count = run.bodies.scaled(50_000, BATCH);
  const dueAt = Date.now() + WARM_UP_MS + 4_000 + count / 5;
  const { found, behind, beside } = await underLoad(run, tenant, [other], {
    count,
    dueAt: () => dueAt,
    untilMs: dueAt + 500,
    isWithOwnFacts: true,
  });
  if (found.length !== count) throw new Error(`the bench is wrong: ${found.length} lapses instead of ${count}`);
  const last = found.reduce((latest, { heardAt }) => Math.max(latest, heardAt), 0);
  const meanwhile = (sent: readonly Sent[]): number[] =>
    sent.filter(({ at }) => at >= dueAt - 50 && at <= last).map(({ latencyMs }) => latencyMs);
  const what = `a herd of ${count.toLocaleString('en')}`;
  printRow({ what: `${what}: all of it in the ledger`, ...atMost((last - dueAt) / 1_000, 1, seconds) });
  printRow({
    what: "… another partition's facts meanwhile, p99",
    ...atMost(percentile(meanwhile(beside), 0.99), 100, milliseconds),
    note: `of ${meanwhile(beside).length}`,
  });
  printRow({
    what: '… facts behind it in its own partition, p99',
    reached: milliseconds(percentile(meanwhile(behind), 0.99)),
    note: `of ${meanwhile(behind).length}`,
  });
}

interface Deadlines {
  readonly count: number;
  /** Epoch milliseconds of the nth. */
  readonly dueAt: (nth: number) => number;
  /** How long there is load. */
  readonly untilMs: number;
  /** Whether the tenant whose deadlines they are reports facts too. */
  readonly isWithOwnFacts?: boolean;
}

interface UnderLoad {
  readonly found: readonly FoundLapse[];
  readonly behind: readonly Sent[];
  readonly beside: readonly Sent[];
}

/** Records the expectations, and lets them lapse while facts are reported. */
async function underLoad(
  run: BenchRun,
  tenant: Tenant,
  others: readonly Tenant[],
  deadlines: Deadlines,
): Promise<UnderLoad> {
  const { database } = run;
  const load = new HttpLoad(run.watcher.url, 16);
  const paced = (by: Tenant, aSecond: number, signal: AbortSignal): Promise<Sent[]> =>
    load.pace(by, '/v1/facts', aSecond, () => run.bodies.of(by).single(), signal);
  try {
    const bodies: Buffer[] = [];
    for (let from = 0; from < deadlines.count; from += BATCH) {
      bodies.push(run.bodies.of(tenant).expectations(BATCH, BATCH, (nth) => deadlines.dueAt(from + nth)));
    }
    await load.drive('/v1/observations', new Map([[tenant, bodies]]));
    await database.caughtUp();
    if (Date.now() > deadlines.dueAt(0) - WARM_UP_MS) throw new Error('recording took longer than there was time for');
    const from = await database.ledgerEnd(tenant.partition);
    await database.listen();
    const ending = new AbortController();
    const own = paced(tenant, deadlines.isWithOwnFacts === true ? FACTS_A_SECOND / 5 : 1, ending.signal);
    const each = FACTS_A_SECOND / others.length;
    const facts = Promise.all(others.map((other) => paced(other, each, ending.signal)));
    await new Promise((resolve) => setTimeout(resolve, deadlines.untilMs - Date.now()));
    ending.abort();
    const [behind, beside] = await Promise.all([own, facts]);
    await database.caughtUp();
    return { found: await database.lapsesFrom(tenant.partition, from), behind, beside: beside.flat() };
  } finally {
    await load.close();
  }
}
