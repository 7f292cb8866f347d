// Lets a request in: who it is from its bearer key, whether it may from the handler's scope.
// It must never take the tenant, or anything of the caller, from elsewhere than the key.
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { type Caller, SCOPE_METADATA, type Scope } from '../caller.ts';
import { Problem } from '../problem/problem.ts';
import { PUBLIC_METADATA } from '../public.ts';
import { ApiKeys } from './api-keys.ts';

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeys,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC_METADATA, targets) === true) return true;
    const request = context.switchToHttp().getRequest<Request & { caller?: Caller }>();
    const secret = bearer(request);
    const caller = secret === undefined ? undefined : await this.keys.resolve(secret);
    if (caller === undefined) {
      throw new Problem('unauthenticated', 'send "Authorization: Bearer KEY" with a key that is known and not revoked');
    }
    const anyOf = this.reflector.getAllAndOverride<readonly Scope[] | undefined>(SCOPE_METADATA, targets) ?? [];
    if (!caller.scopes.includes('admin') && !anyOf.some((scope) => caller.scopes.includes(scope))) {
      throw new Problem('forbidden', `the key needs the scope ${(anyOf.length > 0 ? anyOf : ['admin']).join(' or ')}`);
    }
    request.caller = caller;
    return true;
  }
}

function bearer(request: Request): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(request.headers.authorization ?? '')?.[1];
}
