/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { describeReadme } from './readme.ts';
import { DistributedWatcher } from './distributed.ts';

describe('the README’s five minutes, in processes on Kafka', () => describeReadme(() => DistributedWatcher.create()));
