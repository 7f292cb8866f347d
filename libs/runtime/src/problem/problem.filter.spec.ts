import { NotFoundException } from '@nestjs/common';
import { problemErrorMap } from './http-error-map.ts';
import { problemBody, toProblem } from './problem.filter.ts';
import { Problem } from './problem.ts';

class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}

class LogFullError extends Error {
  override readonly name = 'LogFullError';
}

describe('what a handler throws', () => {
  it('is told as the problem that it is', () => {
    const problem = new Problem('invalid-field', 'name must be a text', { field: 'name' });
    expect(problemBody(toProblem(problem))).toEqual({
      type: '/problems/invalid-field',
      title: 'A field is not as it must be',
      status: 422,
      detail: 'name must be a text',
      field: 'name',
    });
  });

  it.each([
    ['log-unavailable', new LogUnavailableError('gone')],
    ['disk-full', new LogFullError('full')],
    ['disk-full', Object.assign(new Error('could not extend file'), { code: '53100' })],
    ['storage-unavailable', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['storage-unavailable', Object.assign(new Error('terminating'), { code: '57P01' })],
    ['not-found', new NotFoundException('Cannot GET /nowhere')],
    ['internal', new Error('a secret detail')],
    ['internal', 'not even an error'],
  ] as const)('is told as %s', (type, thrown) => {
    expect(toProblem(thrown).type).toBe(type);
  });

  it('tells nothing of what is wrong on our side', () => {
    expect(JSON.stringify(problemBody(toProblem(new Error('a secret detail'))))).not.toContain('secret');
  });

  it('has a code that is an error for every type of problem', () => {
    for (const { status, title } of Object.values(problemErrorMap)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(title).not.toBe('');
    }
  });
});
