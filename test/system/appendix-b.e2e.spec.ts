import { describeAppendixB } from './appendix-b.ts';
import { Watcher } from './watcher.ts';

describe('the example of appendix B, in one process', () => describeAppendixB(() => Watcher.create()));
