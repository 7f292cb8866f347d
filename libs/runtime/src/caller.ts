// Who asks: the tenant, scopes and sources come from the credential, never from the payload.
import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';

export const scopes = ['admin', 'operate', 'agents', 'observe', 'facts', 'read'] as const;

/** `admin` allows everything within its tenant, and making keys; `operate` is for acts upon what waits for a person. */
export type Scope = (typeof scopes)[number];

/** The principal behind a request. */
export interface Caller {
  readonly tenant: string;
  readonly keyId: string;
  /** The principal's stable name, recorded as the reporter where no source is claimed. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The sources it may claim in facts. */
  readonly sources: readonly string[];
}

export const SCOPE_METADATA = 'duewatch:scope';

/** The scopes of which a caller needs one for the handler (or every handler of the controller). */
export const RequireScope = (...anyOf: readonly Scope[]): MethodDecorator & ClassDecorator =>
  SetMetadata(SCOPE_METADATA, anyOf);

/** Injects the `Caller` that the guard has put on the request. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<{ caller: Caller }>().caller,
);
