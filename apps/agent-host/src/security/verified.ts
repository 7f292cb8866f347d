// What a scheme's verifier says of a request. Its words are the scheme's own: whose names they are, `UserNames` knows.
import type { Request } from 'express';
import type { ScopedUsers } from '#agent-handler';

/** Who it is, and what they may do. */
export interface Verified {
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Whether the credential is to be believed cannot be had now: that says nothing of it. */
export const unknown = Symbol('unknown');

/** Undefined where the credential is missing or not believed. It never throws because of what a caller sends. */
export type Verifier = (request: Request) => Promise<Verified | undefined | typeof unknown>;

/** Of schemes whose credentials say nothing of it. */
export function scopesOf({ scopesByUser = {} }: ScopedUsers, name: string): readonly string[] {
  return (Object.hasOwn(scopesByUser, name) ? scopesByUser[name] : undefined) ?? [];
}
