/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { describeAppendixB } from './appendix-b.ts';
import { DistributedWatcher } from './distributed.ts';

describe('the example of appendix B, in processes on Kafka', () =>
  describeAppendixB(() => DistributedWatcher.create()));
