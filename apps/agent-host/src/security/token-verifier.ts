// Bearer tokens, by the keys of who issues them.
import type { LoggerService } from '@nestjs/common';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import type { BearerJwt } from '#agent-handler';
import type { Clock } from '#runtime';
import type { CredentialPlace } from '../card/security.ts';
import { credentialOf } from './credential-of.ts';
import { unknown, type Verifier } from './verified.ts';

export interface TokenVerifierOptions {
  /** Fetches the keys of token issuers. */
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: LoggerService;
}

export const retryAfterSeconds = 5;

export function tokenVerifier(
  place: CredentialPlace,
  { jwksUrl, issuer, audience }: BearerJwt,
  { clock, fetch: fetchKeys, log }: TokenVerifierOptions,
): Verifier {
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
      return payload.sub === undefined ? undefined : { name: payload.sub, scopes: scopesIn(payload) };
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

/** `scope` (RFC 9068 §2.2.3) and what others call `scp`: a text of several, or a list. */
function scopesIn({ scope, scp }: JWTPayload): readonly string[] {
  return [scope, scp].flatMap((claim: unknown) => {
    if (typeof claim === 'string') return claim.split(' ');
    return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : [];
  });
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
