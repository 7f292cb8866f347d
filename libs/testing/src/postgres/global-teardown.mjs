// After the tests of a jest run: its PostgreSQL server and its Kafka are ended and their data removed.
import { removeRunDirectory } from './run-directory.mjs';

export default function tearDown() {
  removeRunDirectory(process.env.DUEWATCH_TEST_DIRECTORY);
}
