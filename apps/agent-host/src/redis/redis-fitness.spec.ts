import { fitnessOf } from './redis-fitness.ts';

const info = (over: Readonly<Record<string, string>> = {}): string =>
  ['# Server', ...Object.entries({ ...good, ...over }).map(([name, value]) => `${name}:${value}`)].join('\r\n');
const good = { role: 'master', aof_enabled: '1', cluster_enabled: '0', maxmemory_policy: 'noeviction' };

it('a Redis that writes all it is given to disk and lets go of nothing is fit', () => {
  expect(fitnessOf({ info: info(), save: '' })).toEqual({ warnings: [] });
  expect(fitnessOf({ info: info({ maxmemory_policy: 'volatile-lru' }), save: undefined })).toEqual({ warnings: [] });
});

it.each(['allkeys-lru', 'allkeys-lfu', 'allkeys-random'])('one that may let go of anything (%s) is not', (policy) => {
  expect(fitnessOf({ info: info({ maxmemory_policy: policy }), save: '' }).unfit).toContain('set noeviction');
});

it('a node of a cluster is not', () => {
  expect(fitnessOf({ info: info({ cluster_enabled: '1' }), save: '' }).unfit).toContain('give one server');
});

it.each([
  ['one that keeps nothing on disk', { aof_enabled: '0' }, '', 'loses all'],
  ['one that keeps snapshots alone', { aof_enabled: '0' }, '3600 1', 'what came after the last'],
  ['one that does not say when', { aof_enabled: '0' }, undefined, 'what came after the last'],
  ['a replica', { role: 'slave' }, '', 'until it is the primary'],
])('of %s is warned', (_, over, save, warning) => {
  const { unfit, warnings } = fitnessOf({ info: info(over), save });
  expect([unfit, warnings]).toEqual([undefined, [expect.stringContaining(warning)]]);
});
