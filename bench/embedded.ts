// `npm run bench:embedded`: the whole watcher as a process of its own, its PostgreSQL flushing what it commits, under load
// by HTTP; and plain inserts into the same PostgreSQL in the same run. It asserts nothing about speed: it prints figures
// and the goals. `BENCH_SCALE=0.1` makes it short, `BENCH_ONLY=facts,herd` takes some of its phases.
import { loadavg } from 'node:os';
import { BenchRun } from './embedded/bench-run.ts';
import { readOptions } from './embedded/options.ts';
import { measureHerd, measureLateness } from './embedded/phases/lapses.ts';
import { measureLimits } from './embedded/phases/limits.ts';
import { measureExpectations, measureFacts, measureSingles } from './embedded/phases/rates.ts';
import { measureRestart } from './embedded/phases/restarts.ts';
import { printRow } from './embedded/report.ts';
import { describeMachine } from './measure.ts';

const phaseNames = ['limits', 'expectations', 'facts', 'single', 'lateness', 'herd', 'restart', 'million'] as const;

const options = readOptions(phaseNames);
const { phases } = options;
const load = (): string => loadavg()[0]?.toFixed(1) ?? '';
console.log(`${describeMachine()}, load ${load()}; scale ${options.scale}`);
const startedAt = performance.now();
const run = await BenchRun.start(options);
try {
  printRow({ what: '', reached: 'reached', goal: 'goal' });
  const limits = phases.has('limits') ? await measureLimits(run) : undefined;
  if (phases.has('expectations')) await measureExpectations(run, limits);
  if (phases.has('restart')) await measureRestart(run, 100_000, 1);
  if (phases.has('facts')) await measureFacts(run, limits);
  if (phases.has('single')) await measureSingles(run, limits);
  if (phases.has('lateness')) await measureLateness(run, limits);
  if (phases.has('herd')) await measureHerd(run);
  if (phases.has('million')) await measureRestart(run, 1_000_000, 10);
} finally {
  await run.end();
}
console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s, load ${load()}`);
