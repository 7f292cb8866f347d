// Expectations and facts a second, HTTP-in to the answer that says what was decided.
import { type BenchRun, type Measured, noteOf } from '../bench-run.ts';
import { atLeast, mebibytes, milliseconds, percentile, printRow } from '../report.ts';
import type { Limits } from './limits.ts';

const BATCH = 500;
const BATCH_CONNECTIONS = 1;
const SINGLE_CONNECTIONS = 8;

export const EXPECTATIONS_GOAL = 15_000;
export const FACTS_GOAL = 30_000;
const SINGLES_GOAL = 5_000;
const MEMORY_GOAL = 300 * 1_048_576;

function print(what: string, count: number, goal: number, measured: Measured, limit: number | undefined): void {
  const reached = count / measured.seconds;
  const p99 = `p50 ${milliseconds(percentile(measured.latencies, 0.5))}, p99 ${milliseconds(percentile(measured.latencies, 0.99))}`;
  const share = limit === undefined ? '' : `${(reached / limit).toFixed(2)} of plain inserts; `;
  printRow({ what, ...atLeast(reached, goal), note: `${share}${p99}; ${noteOf(measured, count)}` });
}

/** Leaves 100,000 open. */
export async function measureExpectations(run: BenchRun, limits: Limits | undefined): Promise<void> {
  for (const anArtifact of [BATCH, 3]) {
    const count = run.bodies.scaled(50_000, BATCH * run.tenants.length);
    const bodies = run.bodies.make(count, BATCH, (of) => of.expectations(BATCH, anArtifact));
    const measured = await run.measure('/v1/observations', bodies, BATCH_CONNECTIONS);
    print(
      `expectations, ${BATCH} a body, ${anArtifact} an artifact`,
      count,
      EXPECTATIONS_GOAL,
      measured,
      limits?.expectations,
    );
  }
  const resident = await run.watcher.residentBytes();
  if (resident === undefined) return;
  const openCount = (await run.database.openCount()).toLocaleString('en');
  const isMet = resident <= MEMORY_GOAL;
  printRow({
    what: `memory at ${openCount} open`,
    reached: mebibytes(resident),
    goal: `≤ ${mebibytes(MEMORY_GOAL)}`,
    isMet,
  });
}

export async function measureFacts(run: BenchRun, limits: Limits | undefined): Promise<void> {
  const of = BATCH * run.tenants.length;
  const unmatchedCount = run.bodies.scaled(300_000, of);
  const unmatched = run.bodies.make(unmatchedCount, BATCH, (bodies) => bodies.unmatched(BATCH));
  const driven = await run.measure('/v1/facts', unmatched, BATCH_CONNECTIONS);
  print(`facts that match nothing, ${BATCH} a body`, unmatchedCount, FACTS_GOAL, driven, limits?.facts);
  const count = run.bodies.scaled(50_000, of);
  await run.openAtLeast(count);
  const satisfying = run.bodies.make(count, BATCH, (bodies) => bodies.satisfying(BATCH));
  const satisfied = await run.measure('/v1/facts', satisfying, BATCH_CONNECTIONS);
  print(`facts that satisfy, ${BATCH} a body`, count, FACTS_GOAL, satisfied, limits?.facts);
}

export async function measureSingles(run: BenchRun, limits: Limits | undefined): Promise<void> {
  const count = run.bodies.scaled(40_000, run.tenants.length);
  const facts = await run.measure(
    '/v1/facts',
    run.bodies.make(count, 1, (of) => of.single()),
    SINGLE_CONNECTIONS,
  );
  print('facts, one a body', count, SINGLES_GOAL, facts, limits?.singles);
  const observations = run.bodies.make(count / 2, 1, (of) => of.expectations(1, 1));
  const expectations = await run.measure('/v1/observations', observations, SINGLE_CONNECTIONS);
  print('expectations, one a body', count / 2, SINGLES_GOAL, expectations, limits?.singles);
}
