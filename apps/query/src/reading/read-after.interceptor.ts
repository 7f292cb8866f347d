// `?after=POSITION` on any read: answered once the read model has what was written there, within 5 s.
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { type EventLog, parsePosition, partitionOf } from '#event-log';
import { type Caller, EVENT_LOG, invalidField, Problem } from '#runtime';
import { FoldedPositions } from './folded-positions.ts';

const mostWaitMs = 5_000;

@Injectable()
export class ReadAfterInterceptor implements NestInterceptor {
  constructor(
    private readonly positions: FoldedPositions,
    @Inject(EVENT_LOG) private readonly log: EventLog,
  ) {}

  /** Throws `Problem`: `invalid-field` where it is no position, `read-model-behind` where it takes longer. */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { query, caller } = context.switchToHttp().getRequest<Request & { caller: Caller }>();
    const { after } = query;
    if (after === undefined) return next.handle();
    const position = typeof after === 'string' ? parsePosition(after) : undefined;
    // A tenant's writes are all in one partition: nobody else's position is waited for.
    if (position?.partition !== partitionOf(caller.tenant, this.log.partitionCount))
      throw invalidField('after', 'must be the `position` that a write was answered with');
    if (await this.positions.reaches(position, mostWaitMs)) return next.handle();
    throw new Problem('read-model-behind', `it has not come to this position within ${mostWaitMs} ms; ask again`, {
      after,
    });
  }
}
