// Before the tests of a jest run: a place for its PostgreSQL server and its Kafka, which start when the first suite asks.
import { makeRunDirectory, removeRunDirectory, sweepRunDirectories } from './run-directory.mjs';

export default function setUp() {
  sweepRunDirectories();
  const directory = makeRunDirectory();
  process.env.DUEWATCH_TEST_DIRECTORY = directory;
  process.env.DUEWATCH_TEST_PROCESS = String(process.pid);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      removeRunDirectory(directory);
      process.kill(process.pid, signal);
    });
  }
}
