// Who calls, by what the card requires: one pipeline for every route of the agent. The card itself is public.
import type { NextFunction, Request, Response } from 'express';
import type { SchemeVerification } from '#agent-handler';
import { type AskedScheme, type CredentialPlace, type SecurityClaims, userNamesOf } from '../card/security.ts';
import { certificateVerifier, type CertificateVerifierOptions } from '../security/certificate-verifier.ts';
import { keyVerifier } from '../security/key-verifier.ts';
import { retryAfterSeconds, tokenVerifier, type TokenVerifierOptions } from '../security/token-verifier.ts';
import type { UserNames } from '../security/user-names.ts';
import { unknown, type Verifier } from '../security/verified.ts';

/** Leaves the user's name with the request. */
export interface AuthenticatedRequest extends Request {
  hostUser?: string;
}

export interface AuthenticationOptions extends TokenVerifierOptions, CertificateVerifierOptions {
  readonly security: SecurityClaims;
  readonly verifications: Readonly<Record<string, SchemeVerification>>;
}

/** Scopes that somebody who is believed does not have. */
interface Lacking {
  readonly lacking: readonly string[];
}

/** A user's name; empty for who is not asked, undefined for who is not believed. */
type Caller = string | undefined | typeof unknown | Lacking;

/**
 * A handler that lets through who meets one of the card's alternatives whole, as one user; 403 where only scopes are
 * missing (RFC 6750 §3.1), 401 for everybody else, and 503 where it cannot be known.
 */
export function authentication(
  options: AuthenticationOptions,
): (request: AuthenticatedRequest, response: Response, next: NextFunction) => Promise<void> {
  const { places } = options.security;
  const pipeline = new Pipeline(options);
  const challenges = challengesOf([...places.values()]);
  return async (request, response, next) => {
    const caller = await pipeline.callerOf(request);
    if (typeof caller === 'string') {
      request.hostUser = caller;
      next();
    } else if (caller === unknown) {
      response.set('Retry-After', String(retryAfterSeconds));
      problem(response, 503, 'Whether the credential is to be believed cannot be known now.');
    } else if (caller === undefined) {
      response.set('WWW-Authenticate', challenges);
      problem(response, 401, 'The card requires a credential, and there is none that is believed.');
    } else {
      const scope = caller.lacking.join(' ');
      response.set('WWW-Authenticate', `${challenges} error="insufficient_scope", scope="${scope}"`);
      problem(response, 403, `The card requires scopes that the credential does not have: ${scope}`);
    }
  };
}

function challengesOf(places: readonly CredentialPlace[]): string {
  if (places.some(({ kind }) => kind === 'bearer')) return 'Bearer';
  return places.some(({ kind }) => kind !== 'certificate') ? 'ApiKey' : 'ClientCertificate';
}

class Pipeline {
  private readonly alternatives: SecurityClaims['alternatives'];
  private readonly verifiers = new Map<string, Verifier>();
  private readonly names: UserNames;

  constructor(options: AuthenticationOptions) {
    const { security, verifications } = options;
    // What asks nothing comes last: who shows a credential is not taken for nobody.
    this.alternatives = security.alternatives.toSorted((a, b) => Number(a.length === 0) - Number(b.length === 0));
    this.names = userNamesOf(security.alternatives, verifications);
    for (const [name, place] of security.places) {
      const verification = verifications[name];
      if (verification !== undefined) this.verifiers.set(name, verifierOf(place, verification, options));
    }
  }

  /** By the first alternative that is met. */
  async callerOf(request: Request): Promise<Caller> {
    if (this.alternatives.length === 0) return '';
    let otherwise: Exclude<Caller, string> = undefined;
    for (const asked of this.alternatives) {
      // An empty requirement asks nothing.
      const caller: Caller =
        asked.length > 0 ? await this.userBy(asked, request) : otherwise === unknown ? unknown : '';
      if (typeof caller === 'string') return caller;
      // What cannot be known might let the caller in.
      otherwise = otherwise === unknown || caller === unknown ? unknown : (otherwise ?? caller);
    }
    return otherwise;
  }

  /** The one user that all of them name. */
  private async userBy(asked: readonly AskedScheme[], request: Request): Promise<Caller> {
    const found = await Promise.all(asked.map(async ({ scheme }) => this.verifiers.get(scheme)?.(request)));
    const users = new Set<string>();
    const lacking: string[] = [];
    for (const [index, { scheme, scopes }] of asked.entries()) {
      const verified = found[index];
      if (verified === unknown) return found.includes(undefined) ? undefined : unknown;
      const user = verified === undefined ? undefined : this.names.of(scheme, verified.name);
      if (verified === undefined || user === undefined) return undefined;
      users.add(user);
      lacking.push(...scopes.filter((scope) => !verified.scopes.includes(scope)));
    }
    const [user, other] = users;
    if (other !== undefined) return undefined;
    return lacking.length > 0 ? { lacking } : user;
  }
}

function problem(response: Response, status: number, title: string): void {
  response.status(status).type('application/problem+json').send(JSON.stringify({ title, status }));
}

function verifierOf(
  place: CredentialPlace,
  verification: SchemeVerification,
  options: AuthenticationOptions,
): Verifier {
  if ('jwksUrl' in verification) return tokenVerifier(place, verification, options);
  if ('certificateHeader' in verification) return certificateVerifier(verification, options);
  return keyVerifier(place, verification);
}
