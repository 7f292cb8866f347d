// A Kafka for tests, by hand: `node scripts/kafka-broker.mjs [--nodes 3]`. Prints its bootstrap servers and keeps it until
// Ctrl-C; what it holds is thrown away.
import { join } from 'node:path';
import {
  makeRunDirectory,
  removeRunDirectory,
  sweepRunDirectories,
} from '../libs/testing/src/postgres/run-directory.mjs';

process.chdir(join(import.meta.dirname, '..'));
await import('./build.mjs');

sweepRunDirectories();
const directory = makeRunDirectory();
process.on('exit', () => removeRunDirectory(directory));
process.argv.push('--directory', join(directory, 'nodes'));
await import('../dist/libs/testing/src/kafka/broker.worker.js');
