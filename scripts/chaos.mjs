// The flights of a day, with somebody killed or stopped all the time, for as long as is wanted:
// `npm run test:chaos -- --minutes 10 --seed 7`. Says the seed, which begins the same faults again.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const seed = values.seed ?? String(randomInt(2 ** 31));
const minutes = Number(values.minutes);
if (!(minutes > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write('--minutes takes a number, and --seed a whole one\n');
  process.exit(2);
}
process.stderr.write(`chaos: --minutes ${minutes} --seed ${seed}\n`);
const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', 'test/chaos/long.kafka.spec.ts'];
const env = { ...process.env, DUEWATCH_KAFKA: '1', CHAOS_MINUTES: String(minutes), CHAOS_SEED: seed };
process.exit(spawnSync(process.execPath, jest, { stdio: 'inherit', env }).status ?? 1);
