// Who calls, by what the card requires: one pipeline for every route of the agent. The card itself is public.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { ApiKeyHashes, BearerJwt, SchemeVerification } from '#agent-handler';
import type { CredentialPlace, SecurityClaims } from '../card/security.ts';

/** Leaves the user's name with the request. */
export interface AuthenticatedRequest extends Request {
  hostUser?: string;
}

/** The user's name by one scheme; undefined where the credential is missing or not believed. */
type Verifier = (request: Request) => Promise<string | undefined>;

/** No name may have more: it is part of each key. */
const mostNameBytes = 512;

export interface AuthenticationOptions {
  readonly security: SecurityClaims;
  readonly verifications: Readonly<Record<string, SchemeVerification>>;
  /** Fetches the keys of token issuers. */
  readonly fetch: typeof fetch;
  readonly log: LoggerService;
}

/** A handler that lets through who meets one of the card's alternatives whole, as one user; 401 for everybody else. */
export function authentication(
  options: AuthenticationOptions,
): (request: AuthenticatedRequest, response: Response, next: NextFunction) => Promise<void> {
  const { alternatives, places } = options.security;
  const verifiers = new Map<string, Verifier>();
  for (const [name, place] of places) {
    const verification = options.verifications[name];
    if (verification !== undefined) verifiers.set(name, verifierOf(place, verification, options));
  }
  const challenges = [...places.values()].some(({ kind }) => kind === 'bearer') ? 'Bearer' : 'ApiKey';
  return async (request, response, next) => {
    const user = alternatives.length === 0 ? '' : await firstUser(request, alternatives, verifiers);
    if (user === undefined) {
      response.status(401).set('WWW-Authenticate', challenges).type('application/problem+json');
      response.send(
        JSON.stringify({ title: 'The card requires a credential, and there is none that is believed.', status: 401 }),
      );
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
): Promise<string | undefined> {
  for (const names of alternatives) {
    // An empty requirement asks nothing.
    if (names.length === 0) return '';
    const users = await Promise.all(names.map(async (name) => verifiers.get(name)?.(request)));
    const [user] = users;
    if (user !== undefined && user !== '' && users.every((other) => other === user)) return user;
  }
  return undefined;
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
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(jwksUrl), { [customFetch]: options.fetch });
  return async (request) => {
    const token = credentialOf(request, place);
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience, requiredClaims: ['sub', 'exp'] });
      return isName(payload.sub) ? payload.sub : undefined;
    } catch (error) {
      // A token that is wrong is the caller's; keys that cannot be had are told to who runs the host.
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout)
        options.log.warn(String(error), 'AgentHost');
      return undefined;
    }
  };
}

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
  return typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= mostNameBytes && !name.includes('\0');
}
