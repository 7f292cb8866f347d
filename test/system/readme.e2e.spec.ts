import { describeReadme } from './readme.ts';
import { Watcher } from './watcher.ts';

describe('the README’s five minutes, in one process', () => describeReadme(() => Watcher.create()));
