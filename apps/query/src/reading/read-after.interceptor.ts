// `?after=POSITION` on any read: answered once the read model has what was written there, within 5 s.
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { parsePosition } from '#event-log';
import { invalidField, Problem } from '#runtime';
import { FoldedPositions } from './folded-positions.ts';

const mostWaitMs = 5_000;

@Injectable()
export class ReadAfterInterceptor implements NestInterceptor {
  constructor(private readonly positions: FoldedPositions) {}

  /** Throws `Problem`: `invalid-field` where it is no position, `read-model-behind` where it takes longer. */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { after } = context.switchToHttp().getRequest<Request>().query;
    if (after === undefined) return next.handle();
    const position = typeof after === 'string' ? parsePosition(after) : undefined;
    if (position === undefined) throw invalidField('after', 'must be the `position` that a write was answered with');
    if (await this.positions.reaches(position, mostWaitMs)) return next.handle();
    throw new Problem('read-model-behind', `it has not come to this position within ${mostWaitMs} ms; ask again`, {
      after,
    });
  }
}
