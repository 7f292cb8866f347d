// Lets an agent in that sends what becomes of a task: by the token that was made for it. No body is read before, and whoever
// is refused is not told what was wrong.
import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Caller, isTenantName, Problem } from '#runtime';
import { PushSubscriptions, type PushedTask } from './push-subscriptions.ts';

type PushRequest = Request<{ readonly tenant: string; readonly agentId: string }> & {
  caller?: Caller;
  pushed?: PushedTask;
};

/** Injects the `PushedTask` that the token is for. */
export const Pushed = createParamDecorator(
  (_: unknown, context: ExecutionContext): PushedTask =>
    context.switchToHttp().getRequest<{ pushed: PushedTask }>().pushed,
);

@Injectable()
export class PushTokenGuard implements CanActivate {
  constructor(private readonly subscriptions: PushSubscriptions) {}

  /** Throws `Problem` (`unauthenticated`). */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<PushRequest>();
    const { tenant, agentId } = request.params;
    const token = tokenOf(request);
    const isReadable = token !== undefined && isTenantName(tenant) && !agentId.includes('\0');
    const pushed = isReadable ? await this.subscriptions.taskOf(tenant, agentId, token) : undefined;
    if (pushed === undefined) throw unknownToken();
    request.pushed = pushed;
    // What it sends counts as its tenant's, and it may do nothing else.
    request.caller = { tenant, keyId: '', name: '', scopes: [], sources: [] };
    return true;
  }
}

/** The same for whatever is wrong. */
export function unknownToken(): Problem {
  return new Problem('unauthenticated', 'send the token that was given for this task of this agent');
}

function tokenOf({ headers }: Request): string | undefined {
  const own = headers['x-a2a-notification-token'];
  if (typeof own === 'string') return /^[\x21-\x7e]{1,512}$/.exec(own)?.[0];
  return /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(headers.authorization ?? '')?.[1];
}
