import { inspect } from 'node:util';
import { StorageUnavailableError } from '#runtime';
import { isRedisDown, withRedis } from './redis-fault.ts';

const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

const named = (...errors: readonly Error[]) => errors.map((error) => [error.message, error] as const);

it.each(
  named(
    reply('READONLY You can’t write against a read only replica. script: f1, on @user_script:12.'),
    reply('LOADING Redis is loading the dataset in memory'),
    reply("OOM command not allowed when used memory > 'maxmemory'."),
    reply('ERR Error running script (call to f_1): @user_script:3: @user_script: 3: -OOM command not allowed'),
    reply('MISCONF Redis is configured to save RDB snapshots, but it’s currently unable to persist to disk.'),
    reply('NOAUTH Authentication required.'),
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { syscall: 'connect', code: 'ECONNREFUSED' }),
    new Error('Connection is closed.'),
    new Error('Command timed out'),
    new Error("Stream isn't writeable and enableOfflineQueue options is false"),
  ),
)('passes: %s', async (_, error) => {
  await expect(withRedis(Promise.reject(error))).rejects.toBeInstanceOf(StorageUnavailableError);
});

it.each(
  named(
    reply('WRONGTYPE Operation against a key holding the wrong kind of value'),
    reply('ERR OOMPH is no command'),
    new TypeError('undefined is not a function'),
  ),
)('does not pass: %s', async (_, error) => {
  expect(isRedisDown(error)).toBe(false);
  await expect(withRedis(Promise.reject(error))).rejects.toBe(error);
});

it('says nothing of what was sent', async () => {
  const error = Object.assign(reply('WRONGPASS invalid'), { command: { name: 'auth', args: ['hunter2'] } });
  const told: unknown = await withRedis(Promise.reject(error)).catch((fault: unknown) => fault);
  expect(inspect(told, { depth: 10 })).not.toContain('hunter2');
});
