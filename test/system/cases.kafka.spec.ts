/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { describeCases } from './cases.ts';
import { DistributedWatcher } from './distributed.ts';

describe('cases from real life, in processes on Kafka', () => describeCases(() => DistributedWatcher.create()));
