/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { describeBadInput } from './bad-input.ts';
import { DistributedWatcher } from './distributed.ts';

describe('bad input, in processes on Kafka', () => describeBadInput(() => DistributedWatcher.create()));
