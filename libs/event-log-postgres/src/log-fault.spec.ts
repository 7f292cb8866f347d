// What the world did is retryable; a bug is not hidden.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { DatabaseError } from 'pg';
import { FencedError, LogFullError, LogUnavailableError } from '#event-log';
import { toLogFault } from './log-fault.ts';

function answered(code: string, message = 'the server says no'): DatabaseError {
  const error = new DatabaseError(message, 18, 'error');
  error.code = code;
  return error;
}

describe('a fault of the log', () => {
  it.each([
    ['connection lost', '08006'],
    ['too many connections', '53300'],
    ['shut down by an operator', '57P01'],
    ['starting up', '57P03'],
    ['cancelled by its timeout', '57014'],
    ['I/O error', '58030'],
    ['deadlock', '40P01'],
    ['lock timeout', '55P03'],
    ['a server that takes no writes', '25006'],
  ])('is unavailable, with its cause: %s', (_, code) => {
    const cause = answered(code);
    const fault = toLogFault(cause);
    expect(fault).toBeInstanceOf(LogUnavailableError);
    expect(fault).toMatchObject({ cause, retryable: true });
  });

  it.each([
    ['of a full disk', answered('53100')],
    ['of a quota', answered('XX000', 'could not extend file "base/1/2": Disk quota exceeded')],
    ['of a limit on files', answered('XX000', 'could not write to file "pg_wal/xlogtemp.7": File too large')],
  ])('is that there is no room, where the server says so %s', (_, cause) => {
    const fault = toLogFault(cause);
    expect(fault).toBeInstanceOf(LogFullError);
    expect(fault).toMatchObject({ cause, retryable: true });
  });

  it('is unavailable where a socket or the driver fails', async () => {
    const refused = await new Promise((resolve) => connect(1, '127.0.0.1').once('error', resolve));
    expect(toLogFault(refused)).toBeInstanceOf(LogUnavailableError);
    expect(toLogFault(new Error('Connection terminated unexpectedly'))).toBeInstanceOf(LogUnavailableError);
  });

  it.each([
    ['a statement that is wrong', answered('42601')],
    ['a division by zero', answered('22012')],
    ['an internal error of the server', answered('XX000', 'unexpected chunk number 7')],
    ['a type error', new TypeError('undefined is not a function')],
    ['an assertion', new assert.AssertionError({ message: 'must hold' })],
    ['a fenced writer', new FencedError('over')],
    ['a fault already told', new LogUnavailableError('closed')],
  ])('stays what it is: %s', (_, error) => {
    expect(toLogFault(error)).toBe(error);
  });
});
