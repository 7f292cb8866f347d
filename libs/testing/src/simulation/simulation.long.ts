// `npm run test:simulation -- --seed N`: the product under simulated faults. `--count M` goes on with the seeds after N,
// `--trace` shows all that happens. Without a seed it draws one, and prints it. See test/simulation.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tightLimits } from './limits.ts';
import { plantTree, repository } from './tree.ts';

/** jest's set-up and tear-down serve here, too: a PostgreSQL server for this run, ended with it. */
async function postgres(step: 'global-setup' | 'global-teardown'): Promise<void> {
  const url = pathToFileURL(join(repository, `libs/testing/src/postgres/${step}.mjs`)).href;
  const { default: run } = (await import(url)) as { default: () => void };
  run();
}

if (!process.argv.some((argument) => argument.startsWith('--seed'))) {
  process.argv.push('--seed', String(randomInt(2 ** 31)));
}
await postgres('global-setup');
const tree = plantTree(tightLimits);
process.once('exit', () => tree.remove());
try {
  await import(pathToFileURL(tree.main).href);
} finally {
  await postgres('global-teardown');
}
