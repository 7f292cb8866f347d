// Before the tests of a jest run: a place for its PostgreSQL server, which starts when the first suite asks for it.
import { makeRunDirectory, removeRunDirectory, sweepRunDirectories } from './run-directory.mjs';

export default function setUp() {
  sweepRunDirectories();
  const directory = makeRunDirectory();
  process.env.DUEWATCH_TEST_DIRECTORY = directory;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      removeRunDirectory(directory);
      process.kill(process.pid, signal);
    });
  }
}
