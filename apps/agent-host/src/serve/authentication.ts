// Who calls, by what the card requires: one pipeline for every route of the agent. The card itself is public.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import type { ApiKeyHashes, BearerJwt, SchemeVerification } from '#agent-handler';
import type { Clock } from '#runtime';
import type { CredentialPlace, SecurityClaims } from '../card/security.ts';

/** Leaves the user's name with the request. */
export interface AuthenticatedRequest extends Request {
  hostUser?: string;
}

/**
 * The user's name by one scheme; undefined where the credential is missing or not believed, `unknown` where the issuer's
 * keys cannot be had: that says nothing of the credential.
 */
type Verifier = (request: Request) => Promise<string | undefined | typeof unknown>;

const unknown = Symbol('unknown');

/** No name may have more: it is part of each key. */
const mostNameBytes = 512;
const retryAfterSeconds = 5;

export interface AuthenticationOptions {
  readonly security: SecurityClaims;
  readonly verifications: Readonly<Record<string, SchemeVerification>>;
  /** Fetches the keys of token issuers. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: LoggerService;
}

/**
 * A handler that lets through who meets one of the card's alternatives whole, as one user; 401 for everybody else, and 503
 * where it cannot be known.
 */
export function authentication(
  options: AuthenticationOptions,
): (request: AuthenticatedRequest, response: Response, next: NextFunction) => Promise<void> {
  const { places } = options.security;
  // What asks nothing comes last: who shows a credential is not taken for nobody.
  const alternatives = options.security.alternatives.toSorted(
    (a, b) => Number(a.length === 0) - Number(b.length === 0),
  );
  const verifiers = new Map<string, Verifier>();
  for (const [name, place] of places) {
    const verification = options.verifications[name];
    if (verification !== undefined) verifiers.set(name, verifierOf(place, verification, options));
  }
  const challenges = [...places.values()].some(({ kind }) => kind === 'bearer') ? 'Bearer' : 'ApiKey';
  return async (request, response, next) => {
    const user = alternatives.length === 0 ? '' : await firstUser(request, alternatives, verifiers);
    if (user === unknown) {
      response.set('Retry-After', String(retryAfterSeconds));
      problem(response, 503, 'Whether the credential is to be believed cannot be known now.');
      return;
    }
    if (user === undefined) {
      response.set('WWW-Authenticate', challenges);
      problem(response, 401, 'The card requires a credential, and there is none that is believed.');
      return;
    }
    request.hostUser = user;
    next();
  };
}

async function firstUser(
  request: Request,
  alternatives: SecurityClaims['alternatives'],
  verifiers: ReadonlyMap<string, Verifier>,
): ReturnType<Verifier> {
  let isUnknown = false;
  for (const names of alternatives) {
    // An empty requirement asks nothing.
    if (names.length === 0) return isUnknown ? unknown : '';
    const users = await Promise.all(names.map(async (name) => verifiers.get(name)?.(request)));
    const [user] = users;
    if (typeof user === 'string' && user !== '' && users.every((other) => other === user)) return user;
    isUnknown ||= users.includes(unknown);
  }
  return isUnknown ? unknown : undefined;
}

function problem(response: Response, status: number, title: string): void {
  response.status(status).type('application/problem+json').send(JSON.stringify({ title, status }));
}

function verifierOf(
  place: CredentialPlace,
  verification: SchemeVerification,
  options: AuthenticationOptions,
): Verifier {
  return 'jwksUrl' in verification ? jwtVerifier(place, verification, options) : keyVerifier(place, verification);
}

function jwtVerifier(
  place: CredentialPlace,
  { jwksUrl, issuer, audience }: BearerJwt,
  options: AuthenticationOptions,
): Verifier {
  const { clock, fetch: fetchKeys, log } = options;
  // Anybody can send tokens: of an issuer that is away it is neither asked nor told with each.
  let askAgainAtMs = 0;
  const fetchSeldom: FetchImplementation = async (url, init) => {
    if (clock.now() < askAgainAtMs) throw new Error('the issuer was away just now');
    return fetchKeys(url, init);
  };
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(jwksUrl), { [customFetch]: fetchSeldom });
  return async (request) => {
    const token = credentialOf(request, place);
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, requiredClaims: ['sub', 'exp'] });
      return isName(payload.sub) ? payload.sub : undefined;
    } catch (error) {
      if (isOfToken(error)) return undefined;
      if (clock.now() >= askAgainAtMs) {
        askAgainAtMs = clock.now() + retryAfterSeconds * 1_000;
        log.warn(`the keys at ${jwksUrl} cannot be had: ${String(error)}`, 'AgentHost');
      }
      return unknown;
    }
  };
}

/** A token that is wrong is the caller's; keys that cannot be had, for whatever reason, are told to who runs the host. */
function isOfToken(error: unknown): boolean {
  return ofToken.some((kind) => error instanceof kind);
}

const ofToken = [
  ...[errors.JWTInvalid, errors.JWTExpired, errors.JWTClaimValidationFailed, errors.JWSInvalid],
  ...[errors.JWSSignatureVerificationFailed, errors.JOSEAlgNotAllowed, errors.JOSENotSupported],
  ...[errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys],
];

function keyVerifier(place: CredentialPlace, { sha256ByUser }: ApiKeyHashes): Verifier {
  const known = Object.entries(sha256ByUser).map(([user, hex]) => ({ user, hash: Buffer.from(hex, 'hex') }));
  return async (request) => {
    const key = credentialOf(request, place);
    if (key === undefined) return undefined;
    const hash = createHash('sha256').update(key, 'utf8').digest();
    return known.find((entry) => entry.hash.length === hash.length && timingSafeEqual(entry.hash, hash))?.user;
  };
}

function credentialOf(request: Request, place: CredentialPlace): string | undefined {
  if (place.kind === 'bearer') return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const found = place.kind === 'header' ? request.headers[place.name] : request.query[place.name];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function isName(name: unknown): name is string {
  if (typeof name !== 'string' || name === '' || name.includes('\0')) return false;
  // Half a surrogate would be kept as another's.
  return Buffer.byteLength(name) <= mostNameBytes && Buffer.from(name).toString() === name;
}
