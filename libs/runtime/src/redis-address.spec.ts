import { parseRedisUrl } from './redis-address.ts';

it.each([
  ['redis://127.0.0.1', { host: '127.0.0.1', port: 6379, isTls: false, database: 0 }],
  ['redis://[::1]:7000/3', { host: '::1', port: 7000, isTls: false, database: 3 }],
  [
    'rediss://agents:p%40ss%2Fword@redis.example:6380/',
    { host: 'redis.example', port: 6380, isTls: true, database: 0, username: 'agents', password: 'p@ss/word' },
  ],
  ['redis://:secret@redis', { host: 'redis', port: 6379, isTls: false, database: 0, password: 'secret' }],
])('%s is where a Redis is', (text, address) => {
  expect(parseRedisUrl(text)).toEqual(address);
});

it.each([
  'redis',
  'http://redis:6379',
  'redis://',
  'redis://redis/name',
  'redis://redis?tls=true',
  'redis://redis#0',
  'redis://:%ff@redis',
])('%s is not', (text) => {
  expect(parseRedisUrl(text)).toBeUndefined();
});
