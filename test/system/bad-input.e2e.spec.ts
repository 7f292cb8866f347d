import { describeBadInput } from './bad-input.ts';
import { Watcher } from './watcher.ts';

describe('bad input, in one process', () => describeBadInput(() => Watcher.create()));
