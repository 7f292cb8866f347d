import { QueryFailedError, QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { isStorageDown, isStorageFull, StorageUnavailableError, withStorage } from './storage-fault.ts';

const coded = (code: string, message = 'of the driver'): Error => Object.assign(new Error(message), { code });

describe('a database that cannot be reached', () => {
  it.each([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a host that is not found', coded('ENOTFOUND')],
    ['a shutdown', coded('57P01')],
    ['too many connections', coded('53300')],
    ['a standby, asked to write', new QueryFailedError('INSERT', [], coded('25006'))],
    ['a full disk', new QueryFailedError('INSERT', [], coded('53100'))],
    ['a full quota', new QueryFailedError('INSERT', [], coded('XX000', 'could not extend: Disk quota exceeded'))],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a connection lost before', new Error('Client has encountered a connection error and is not queryable')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a server that does not answer', new QueryFailedError('SELECT', [], new Error('Query read timeout'))],
    ['a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError()],
    ['the same, by its manager', new QueryRunnerProviderAlreadyReleasedError()],
    ['a fault of one of ours', new StorageUnavailableError('it did not answer')],
  ])('is told by %s', async (_, error) => {
    expect(isStorageDown(error)).toBe(true);
    await expect(withStorage(Promise.reject(error))).rejects.toThrow(StorageUnavailableError);
  });

  it.each([
    ['a wrong query', new QueryFailedError('SELECT', [], coded('42601'))],
    ['a value that is taken', new QueryFailedError('INSERT', [], coded('23505'))],
    ['a bug', new TypeError('x is not a function')],
  ])('is not told by %s', async (_, error) => {
    expect(isStorageDown(error)).toBe(false);
    await expect(withStorage(Promise.reject(error))).rejects.toBe(error);
  });

  it('is full where the server says so, whoever passes it on', async () => {
    const full = new QueryFailedError('INSERT', [], coded('53100'));
    const passedOn: unknown = await withStorage(Promise.reject(full)).catch((error: unknown) => error);
    expect([full, passedOn].map(isStorageFull)).toEqual([true, true]);
    expect(isStorageFull(coded('53300'))).toBe(false);
  });
});
