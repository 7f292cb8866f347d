import { QueryFailedError } from 'typeorm';
import { isWorldFault } from './world-fault.ts';

const coded = (code: string): Error => Object.assign(new Error(), { code });

describe('a fault of the world', () => {
  it.each<[string, unknown, boolean]>([
    ['says so itself', Object.assign(new Error(), { retryable: true }), true],
    ['says that it is none', Object.assign(coded('57P01'), { retryable: false }), false],
    ['is a connection refused', coded('ECONNREFUSED'), true],
    ['is a deadlock', coded('40P01'), true],
    ['is a connection lost', new Error('Connection terminated unexpectedly'), true],
    ['is wrapped', new QueryFailedError('SELECT', [], coded('08006')), true],
    ['is no constraint', coded('23505'), false],
    ['is no bug', new TypeError('x'), false],
    ['is something', undefined, false],
  ])('%s', (_, error, isFault) => {
    expect(isWorldFault(error)).toBe(isFault);
  });
});
