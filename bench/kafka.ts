// `npm run bench:kafka`: each app as a process of its own on a Kafka and a PostgreSQL started for it, all on this machine;
// and the raw loop of the client, consume, transform and produce in transactions, in the same run. It asserts nothing about
// speed: it prints figures and the goals. `BENCH_SCALE=0.1` makes it short, `BENCH_ONLY=raw,decide` takes some phases.
import { loadavg } from 'node:os';
import { KafkaBench } from './kafka/kafka-bench.ts';
import { measureCatchUp, measureHerd, measureLateness } from './kafka/phases/lapses.ts';
import { measureDeciding, measureFolding, measureRecovery } from './kafka/phases/processes.ts';
import { measureRawLoop } from './kafka/phases/raw-loop.ts';
import { measureHttp } from './kafka/phases/http.ts';
import { readOptions } from './embedded/options.ts';
import { printRow } from './embedded/report.ts';
import { describeMachine } from './measure.ts';

const phaseNames = ['raw', 'http', 'decide', 'fold', 'lateness', 'herd', 'catch-up', 'recovery'] as const;

const options = readOptions(phaseNames);
const { phases } = options;
const load = (): string => loadavg()[0]?.toFixed(1) ?? '';
console.log(`${describeMachine()}, load ${load()}; scale ${options.scale}`);
const startedAt = performance.now();
const bench = await KafkaBench.start(options.scale);
try {
  printRow({ what: '', reached: 'reached', goal: 'goal' });
  const rawRate = phases.has('raw') ? await measureRawLoop(bench) : undefined;
  await bench.openSystem();
  if (phases.has('http')) await measureHttp(bench);
  if (phases.has('decide')) await measureDeciding(bench, rawRate);
  if (phases.has('fold')) await measureFolding(bench);
  if (phases.has('lateness')) await measureLateness(bench);
  if (phases.has('herd')) await measureHerd(bench);
  if (phases.has('catch-up')) await measureCatchUp(bench);
  if (phases.has('recovery')) await measureRecovery(bench);
} finally {
  await bench.end();
}
console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s, load ${load()}`);
