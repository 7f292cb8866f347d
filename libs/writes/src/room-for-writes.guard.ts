// Refuses a write before its body is read, where its tenant has too much undecided already: reading it costs everybody.
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Caller } from '#runtime';
import { Writes } from './writes.ts';

@Injectable()
export class RoomForWrites implements CanActivate {
  constructor(private readonly writes: Writes) {}

  /** Throws `Problem`. Stands behind the guard that knows the caller. */
  canActivate(context: ExecutionContext): boolean {
    const { caller, headers } = context.switchToHttp().getRequest<Request & { readonly caller: Caller }>();
    this.writes.assertRoom(caller.tenant, Number(headers['content-length'] ?? 0));
    return true;
  }
}
