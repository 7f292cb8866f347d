// Runs seeds one after the other and says how each went: a line of JSON a seed for a program, lines for a person else.
// Ends with 1 at the first that fails. It must be told the seeds: nothing here draws any.
import { parseArgs } from 'node:util';
import { Logger } from '@nestjs/common';
import { Rig } from './rig.ts';
import { type Report, Simulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    json: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
  },
});
const first = Number(values.seed ?? 1);
const seeds =
  values.seeds?.split(',').map(Number) ?? Array.from({ length: Number(values.count) }, (_, nth) => first + nth);

function show(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tell(report: Report): void {
  if (values.json) return show(JSON.stringify(report));
  const { seed, stepCount, lapseCount, digest, failure, traceEnd } = report;
  if (failure === undefined)
    return show(`seed ${seed}: well, ${stepCount} steps, ${lapseCount} lapses, trace ${digest}`);
  for (const line of traceEnd ?? []) show(`  ${line}`);
  show(`seed ${seed}: FAILED at step ${stepCount}, trace ${digest}: ${failure}`);
  show(`Repeat it: npm run test:simulation -- --seed ${seed}`);
}

Logger.overrideLogger(false);
const rig = await Rig.open();
try {
  for (const seed of seeds) {
    const report = await new Simulation(rig, seed, values.trace ? show : undefined).run();
    tell(report);
    if (report.failure === undefined) continue;
    process.exitCode = 1;
    if (!values['keep-going']) break;
  }
} finally {
  await rig.close();
}
