import { fitnessOf } from './redis-fitness.ts';

const info = (over: Readonly<Record<string, string>> = {}): string =>
  ['# Server', ...Object.entries({ ...good, ...over }).map(([name, value]) => `${name}:${value}`)].join('\r\n');
const all = { commands: '+@all', keys: '~*' };
const good = { role: 'master', aof_enabled: '1', cluster_enabled: '0', maxmemory_policy: 'noeviction' };

it('a Redis that writes all it is given to disk and lets go of nothing is fit', () => {
  expect(fitnessOf({ info: info(), save: '', defaultUser: all })).toEqual({ warnings: [] });
  expect(
    fitnessOf({ info: info({ maxmemory_policy: 'volatile-lru' }), save: undefined, defaultUser: undefined }),
  ).toEqual({ warnings: [] });
});

it.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random'])('one that may let go of anything (%s) is not', (policy) => {
  expect(fitnessOf({ info: info({ maxmemory_policy: policy }), save: '', defaultUser: all }).unfit).toContain(
    'set noeviction',
  );
});

it('a node of a cluster is not', () => {
  expect(fitnessOf({ info: info({ cluster_enabled: '1' }), save: '', defaultUser: all }).unfit).toContain(
    'give one server',
  );
});

it.each([
  ['one that keeps nothing on disk', { aof_enabled: '0' }, '', 'loses all'],
  ['one that keeps snapshots alone', { aof_enabled: '0' }, '3600 1', 'what came after the last'],
  ['one that does not say when', { aof_enabled: '0' }, undefined, 'what came after the last'],
  ['a replica', { role: 'slave' }, '', 'until it is the primary'],
])('of %s is warned', (_, over, save, warning) => {
  const { unfit, warnings } = fitnessOf({ info: info(over), save, defaultUser: all });
  expect([unfit, warnings]).toEqual([undefined, [expect.stringContaining(warning)]]);
});

it('one that reads its own transactions again as a user who may not is not, where it would', () => {
  const defaultUser = { commands: '-@all', keys: '' };
  expect(fitnessOf({ info: info(), save: '', defaultUser }).unfit).toContain('ACL SETUSER default off');
  expect(fitnessOf({ info: info({ aof_enabled: '0' }), save: '1 1', defaultUser }).unfit).toBeUndefined();
});
