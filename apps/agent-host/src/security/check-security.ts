// The form of a handler's `security`: how each of the card's schemes is verified.
import { X509Certificate } from 'node:crypto';
import { isMembers, type Members } from '../card/members.ts';
import { isName } from './user-names.ts';

const forms = {
  jwksUrl: ['jwksUrl', 'issuer', 'audience', 'users'],
  sha256ByUser: ['sha256ByUser', 'scopesByUser', 'users'],
  certificateHeader: [
    ...['certificateHeader', 'certificateForm', 'fingerprintByUser', 'authorities', 'scopesByUser', 'users'],
  ],
} as const;

/** What is wrong with it, for its author; undefined where nothing is. */
export function findInSecurity(security: unknown): string | undefined {
  if (security === undefined) return undefined;
  if (!isMembers(security)) return 'security must be an object';
  for (const [name, scheme] of Object.entries(security)) {
    const finding = findInScheme(scheme, name);
    if (finding !== undefined) return `security.${name} ${finding}`;
  }
  return undefined;
}

function findInScheme(scheme: unknown, name: string): string | undefined {
  const kind = (['jwksUrl', 'sha256ByUser', 'certificateHeader'] as const).find(
    (member) => isMembers(scheme) && scheme[member] !== undefined,
  );
  if (!isMembers(scheme) || kind === undefined) {
    return 'must be {jwksUrl, issuer, audience}, {sha256ByUser} or {certificateHeader, certificateForm, …}';
  }
  const known: readonly string[] = forms[kind];
  const unknown = Object.keys(scheme).find((member) => !known.includes(member));
  if (unknown !== undefined) return `must not have ${unknown}: nothing would be done with it`;
  return findInKind(kind, scheme) ?? findInScopes(scheme['scopesByUser']) ?? findInUsers(scheme, name);
}

function findInKind(kind: keyof typeof forms, scheme: Members): string | undefined {
  switch (kind) {
    case 'jwksUrl':
      return isJwt(scheme) ? undefined : 'must be {jwksUrl, issuer, audience}, the first an http or https URL';
    case 'sha256ByUser':
      return findInHashes('sha256ByUser', scheme['sha256ByUser']);
    case 'certificateHeader':
      return findInCertificate(scheme);
  }
}

function isJwt({ jwksUrl, issuer, audience }: Members): boolean {
  const isUrl = typeof jwksUrl === 'string' && URL.canParse(jwksUrl) && /^https?:$/.test(new URL(jwksUrl).protocol);
  return isUrl && [issuer, audience].every((text) => typeof text === 'string' && text !== '');
}

function findInHashes(member: string, hexByUser: unknown): string | undefined {
  const isOf = ([user, hex]: [string, unknown]): boolean =>
    isName(user) && typeof hex === 'string' && /^[0-9a-f]{64}$/i.test(hex);
  if (isMembers(hexByUser) && Object.entries(hexByUser).every(isOf)) return undefined;
  return `must be of SHA-256 in hexadecimal, by the names of users, in ${member}`;
}

function findInCertificate(scheme: Members): string | undefined {
  const { authorities, certificateForm, certificateHeader, fingerprintByUser } = scheme;
  if (typeof certificateHeader !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(certificateHeader)) {
    return 'must name a header in certificateHeader, such as Client-Cert';
  }
  if (certificateForm !== 'rfc9440' && certificateForm !== 'escapedPem') {
    return 'must have rfc9440 or escapedPem as certificateForm';
  }
  if ((fingerprintByUser === undefined) === (authorities === undefined)) {
    return 'must have either fingerprintByUser or authorities';
  }
  if (authorities === undefined) return findInHashes('fingerprintByUser', fingerprintByUser);
  const areAuthorities = Array.isArray(authorities) && authorities.length > 0 && authorities.every(isAuthority);
  return areAuthorities ? undefined : 'must have certificates of authorities as PEM, one in each of authorities';
}

function isAuthority(pem: unknown): boolean {
  try {
    return typeof pem === 'string' && pem.split('BEGIN CERTIFICATE').length === 2 && new X509Certificate(pem).ca;
  } catch {
    return false;
  }
}

function findInScopes(scopesByUser: unknown): string | undefined {
  const isOf = (scopes: unknown): boolean =>
    Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string' && scope !== '');
  if (scopesByUser === undefined || (isMembers(scopesByUser) && Object.values(scopesByUser).every(isOf))) {
    return undefined;
  }
  return 'must have lists of scopes, by the names of users, in scopesByUser';
}

/** A separator within would make one user of two. */
function findInUsers({ users, issuer }: Members, name: string): string | undefined {
  if (users !== undefined) {
    return typeof users === 'string' && !users.includes('|') && users.length <= 255
      ? undefined
      : 'must have a text of at most 255 characters without "|" as users';
  }
  const source = typeof issuer === 'string' ? issuer : name;
  return source.includes('|') ? `must have users, since ${source} has a "|"` : undefined;
}
