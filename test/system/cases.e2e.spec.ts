import { describeCases } from './cases.ts';
import { Watcher } from './watcher.ts';

describe('cases from real life, in one process', () => describeCases(() => Watcher.create()));
