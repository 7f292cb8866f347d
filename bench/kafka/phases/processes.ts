// One app at a time at what it does: the timekeeper from a full inbox, the projector from a full ledger, and a timekeeper
// that takes over very many open expectations.
import { decodeLedger, encodeInbox, type NewRecord } from '#event-log';
import { SOURCE, type Tenant } from '../../embedded/tenants.ts';
import { atLeast, atMost, printRow, rate, seconds } from '../../embedded/report.ts';
import { type KafkaBench, until } from '../kafka-bench.ts';

const ROUNDS = 3;
const A_RECORD = 100;
const RECORDS_AN_APPEND = 20;

/** Inbox to ledger, of facts of 305 bytes that match nothing, each a record of its own, with 200,000 open. */
export async function measureDeciding(bench: KafkaBench, rawRate: number | undefined): Promise<void> {
  await bench.openAtLeast(bench.bodies.scaled(200_000, 2_000));
  const count = bench.bodies.scaled(200_000, A_RECORD * RECORDS_AN_APPEND * bench.tenants.length);
  const rates: number[] = [];
  await untilFolded(bench);
  await bench.stopApp('projector');
  for (let round = 0; round < ROUNDS; round += 1) {
    await bench.stopApp('timekeeper');
    await Promise.all(bench.tenants.map((tenant) => fillInbox(bench, tenant, count / bench.tenants.length)));
    const ends = await Promise.all(bench.tenants.map(({ partition }) => bench.log.bounds('ledger', partition)));
    await bench.startApp('timekeeper');
    const timekeeper = bench.app('timekeeper');
    await until(async () => (await timekeeper.metric('duewatch_inbox_undecided_records')) === 0);
    // By the log's clock: it begins before the last partition is restored.
    const spans = await Promise.all(
      bench.tenants.map(({ partition }, nth) => spanOf(bench, partition, ends[nth]?.end ?? 0)),
    );
    const firstAt = Math.min(...spans.map(({ first }) => first));
    const lastAt = Math.max(...spans.map(({ last }) => last));
    rates.push(count / ((lastAt - firstAt) / 1_000));
  }
  await bench.startApp('projector');
  const middle = [...rates].sort((a, b) => a - b)[1] ?? NaN;
  const goal = (rawRate ?? NaN) / 2;
  const row = rawRate === undefined ? { reached: rate(middle) } : atLeast(middle, goal);
  const share = rawRate === undefined ? '' : `${(middle / rawRate).toFixed(2)} of the raw loop; `;
  printRow({ what: 'timekeeper, inbox to ledger, facts', ...row, note: share + rates.map(rate).join(' ') });
}

/** The ledger into PostgreSQL. */
export async function measureFolding(bench: KafkaBench): Promise<void> {
  await untilFolded(bench);
  await bench.stopApp('projector');
  const count = bench.bodies.scaled(200_000, 2_000);
  const bodies = bench.bodies.make(count, 500, (make) => make.unmatched(500));
  await bench.drive('facts', '/v1/facts', bodies);
  const startedAt = performance.now();
  await bench.startApp('projector');
  await untilFolded(bench);
  const taken = (performance.now() - startedAt) / 1_000;
  const note = 'its start included';
  printRow({ what: 'projector, ledger to PostgreSQL, events', ...atLeast(count / taken, 20_000), note });
}

/** Looked at now and then: each look asks the projector's database. */
function untilFolded(bench: KafkaBench): Promise<void> {
  const projector = bench.app('projector');
  return until(async () => (await projector.metric('duewatch_projection_lag_records')) === 0, 250);
}

/** A kill, and another timekeeper that takes everything over; a million open at full scale. */
export async function measureRecovery(bench: KafkaBench): Promise<void> {
  const openCount = bench.bodies.scaled(1_000_000, 2_000);
  await bench.openAtLeast(openCount);
  await bench.killApp('timekeeper');
  const killedAt = performance.now();
  const readyMs = await bench.startApp('timekeeper');
  const what = `with ${openCount.toLocaleString('en')} open`;
  printRow({ what: `deciding again ${what}, from its start`, ...atMost(readyMs / 1_000, 15, seconds) });
  printRow({ what: '… from the kill', ...atMost((performance.now() - killedAt) / 1_000, 25, seconds) });
}

/** When the first and the last decision from that offset on were appended, in epoch milliseconds. */
async function spanOf(
  { log }: KafkaBench,
  partition: number,
  from: number,
): Promise<{ readonly first: number; readonly last: number }> {
  const { end } = await log.bounds('ledger', partition);
  const opening = await log.read('ledger', partition, { from, limit: 10 });
  const first = opening.find(({ value }) => 'events' in decodeLedger(value));
  const closing = await log.read('ledger', partition, { from: Math.max(from, end - 10), limit: 10 });
  return { first: first?.appendedAt ?? NaN, last: closing.at(-1)?.appendedAt ?? NaN };
}

async function fillInbox({ log }: KafkaBench, tenant: Tenant, count: number): Promise<void> {
  const fact = (nth: number): unknown => {
    const factKey = `shipment.scanned:QX-27-${String(nth).padStart(8, '0')}-${tenant.name}`;
    const one = { factKey, observedAt: new Date().toISOString(), source: SOURCE, pad: '' };
    one.pad = 'x'.repeat(Math.max(0, 305 - JSON.stringify(one).length));
    return one;
  };
  const base = Math.floor(performance.now() * 1_000);
  const a = A_RECORD * RECORDS_AN_APPEND;
  for (let sent = 0; sent < count; sent += a) {
    const records: NewRecord[] = Array.from({ length: a }, (_, nth) => ({
      tenant: tenant.name,
      value: encodeInbox({ type: 'factReported', reporter: SOURCE, fact: fact(base + sent + nth) as never }),
    }));
    await log.append(tenant.partition, records);
  }
}
