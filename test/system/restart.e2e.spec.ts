import { describeRestart } from './restart.ts';
import { Watcher } from './watcher.ts';

describe('a watcher that is started again, in one process', () => describeRestart(() => Watcher.create()));
