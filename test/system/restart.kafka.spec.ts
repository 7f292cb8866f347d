/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { describeRestart } from './restart.ts';
import { DistributedWatcher } from './distributed.ts';

describe('a watcher that is started again, in processes on Kafka', () =>
  describeRestart(() => DistributedWatcher.create()));
