// Keys that were handed out, by their hashes.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ApiKeyHashes } from '#agent-handler';
import type { CredentialPlace } from '../card/security.ts';
import { credentialOf } from './credential-of.ts';
import { scopesOf, type Verifier } from './verified.ts';

export function keyVerifier(place: CredentialPlace, verification: ApiKeyHashes): Verifier {
  const findUser = userByHash(verification.sha256ByUser);
  return async (request) => {
    const key = credentialOf(request, place);
    const name = key === undefined ? undefined : findUser(createHash('sha256').update(key, 'utf8').digest());
    return name === undefined ? undefined : { name, scopes: scopesOf(verification, name) };
  };
}

/** Whose hash it is, of those in hexadecimal. */
export function userByHash(hexByUser: Readonly<Record<string, string>>): (hash: Buffer) => string | undefined {
  const known = Object.entries(hexByUser).map(([user, hex]) => ({ user, hash: Buffer.from(hex, 'hex') }));
  return (hash) => known.find((entry) => entry.hash.length === hash.length && timingSafeEqual(entry.hash, hash))?.user;
}
