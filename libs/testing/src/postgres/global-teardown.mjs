// After the tests of a jest run: its PostgreSQL server is ended and its data removed.
import { removeRunDirectory } from './run-directory.mjs';

export default function tearDown() {
  removeRunDirectory(process.env.DUEWATCH_TEST_DIRECTORY);
}
