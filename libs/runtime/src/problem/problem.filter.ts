// Turns whatever a handler throws into problem+json. It must never show a client a cause or a stack.
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Response } from 'express';
import { isStorageDown, isStorageFull } from '../edge-database/storage-fault.ts';
import { problemErrorMap, problemTypeOfStatus } from './http-error-map.ts';
import { Problem } from './problem.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(exception: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    const problem = toProblem(exception);
    const { status } = problemErrorMap[problem.type];
    if (problem.type === 'internal') this.logger.error(exception);
    // What is of the world is said in a line: where it was noticed would help nobody.
    else if (problem.cause instanceof Error) this.logger.warn(`${problem.type}: ${problem.cause.message}`);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (problem.type === 'unauthenticated') response.setHeader('WWW-Authenticate', 'Bearer');
    if (status === 429 || status === 503) response.setHeader('Retry-After', retryAfter(problem));
    response
      .status(status)
      .type('application/problem+json')
      .send(JSON.stringify(problemBody(problem)));
  }
}

/** The problem as a client reads it. */
export function problemBody(problem: Problem): Record<string, unknown> {
  const { status, title } = problemErrorMap[problem.type];
  return { type: `/problems/${problem.type}`, title, status, detail: problem.message, ...problem.members };
}

/** Seconds. Room on a disk is not made as fast as a server is started again. */
const retryAfter = ({ type }: Problem): string => (type === 'disk-full' ? '10' : '1');

/** What is not known becomes `internal`, with no detail of it. */
export function toProblem(exception: unknown): Problem {
  if (exception instanceof Problem) return exception;
  // By their names: the log's library stands on this one.
  if ((exception instanceof Error && exception.name === 'LogFullError') || isStorageFull(exception)) {
    return new Problem(
      'disk-full',
      'the disk of the watcher’s database is full, and nothing was written: whoever runs it has to make room; send it again then',
      {},
      { cause: exception },
    );
  }
  if (exception instanceof Error && exception.name === 'LogUnavailableError') {
    return new Problem(
      'log-unavailable',
      'the log did not say that it took it; sending it again does no harm',
      {},
      { cause: exception },
    );
  }
  if (isStorageDown(exception)) {
    return new Problem('storage-unavailable', 'the database did not answer; send it again', {}, { cause: exception });
  }
  if (exception instanceof HttpException) {
    const type = problemTypeOfStatus(exception.getStatus());
    return new Problem(type, type === 'internal' ? 'see the log' : exception.message);
  }
  return new Problem('internal', 'see the log', {}, { cause: exception });
}
