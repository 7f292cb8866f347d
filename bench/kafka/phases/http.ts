// Expectations and facts a second, HTTP-in to the answer that says what was decided, through one process of each app.
import { atLeast, printRow, rate } from '../../embedded/report.ts';
import type { KafkaBench } from '../kafka-bench.ts';

const BATCH = 500;
const ROUNDS = 3;
const EXPECTATIONS_GOAL = 16_000;
const FACTS_GOAL = 17_000;

export async function measureHttp(bench: KafkaBench): Promise<void> {
  const of = BATCH * bench.tenants.length;
  const expectationCount = bench.bodies.scaled(66_000, of);
  const expectations = await median(async () => {
    const bodies = bench.bodies.make(expectationCount, BATCH, (make) => make.expectations(BATCH, BATCH));
    return expectationCount / (await bench.drive('intake', '/v1/observations', bodies));
  });
  print(`expectations by HTTP, ${BATCH} a body`, expectations, EXPECTATIONS_GOAL);
  const factCount = bench.bodies.scaled(100_000, of);
  const facts = await median(async () => {
    const bodies = bench.bodies.make(factCount, BATCH, (make) => make.unmatched(BATCH));
    return factCount / (await bench.drive('facts', '/v1/facts', bodies));
  });
  print(`facts by HTTP that match nothing, ${BATCH} a body`, facts, FACTS_GOAL);
  const satisfyingCount = bench.bodies.scaled(60_000, of);
  const satisfying = await median(async () => {
    const bodies = bench.bodies.make(satisfyingCount, BATCH, (make) => make.satisfying(BATCH));
    return satisfyingCount / (await bench.drive('facts', '/v1/facts', bodies));
  });
  print(`facts by HTTP that satisfy, ${BATCH} a body`, satisfying, FACTS_GOAL);
  const [tenant] = bench.tenants;
  if (tenant === undefined) return;
  const alone = await median(async () => {
    const bodies = Array.from({ length: factCount / of }, () => bench.bodies.of(tenant).unmatched(BATCH));
    return (bodies.length * BATCH) / (await bench.drive('facts', '/v1/facts', new Map([[tenant, bodies]])));
  });
  printRow({ what: '… of one tenant alone, on one connection', reached: rate(alone.middle) });
}

interface Median {
  readonly middle: number;
  readonly all: readonly number[];
}

async function median(measure: () => Promise<number>): Promise<Median> {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push(await measure());
  return { all, middle: [...all].sort((a, b) => a - b)[1] ?? NaN };
}

function print(what: string, { middle, all }: Median, goal: number): void {
  printRow({ what, ...atLeast(middle, goal), note: all.map(rate).join(' ') });
}
