// What a card requires of callers: every requirement names schemes that are declared and that the host verifies.
import type { SchemeVerification } from '#agent-handler';
import { UserNames } from '../security/user-names.ts';
import type { CardRefusal } from './card-refusal.ts';
import { checkShape, isMembers, listOf, type Members } from './members.ts';
import { readScheme } from './security-scheme.ts';

/** How a credential travels, as the card has it. */
export type CredentialPlace =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'query'; readonly name: string }
  /** In the connection, which ends at a proxy. */
  | { readonly kind: 'certificate' };

/** A scheme, and what the user must be allowed by it. */
export interface AskedScheme {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

/** Schemes by name; of the alternatives one must be met whole. None: nobody is asked. */
export interface SecurityClaims {
  readonly places: ReadonlyMap<string, CredentialPlace>;
  readonly alternatives: readonly (readonly AskedScheme[])[];
}

export type Verifications = Readonly<Record<string, SchemeVerification>>;

export interface SecurityAbilities {
  /** By the name of the card's scheme: how somebody has said it is verified. */
  readonly verifications: Verifications;
  /** Somebody has said which proxies may be believed. */
  readonly hasProxies: boolean;
}

export function readSecurity(
  card: Members,
  abilities: SecurityAbilities,
): { readonly security: SecurityClaims; readonly refusals: readonly CardRefusal[] } {
  const refusals: CardRefusal[] = [];
  const places = new Map<string, CredentialPlace>();
  const schemes = isMembers(card['securitySchemes']) ? card['securitySchemes'] : {};
  for (const [name, scheme] of Object.entries(schemes)) {
    const claim = `securitySchemes.${name}`;
    const read = readScheme(scheme, claim);
    refusals.push(...read.refusals);
    if (read.place === undefined) continue;
    const reason = notVerified(name, read.place, abilities);
    if (reason !== undefined) refusals.push({ claim, code: 'scheme-not-enforced', reason });
    else places.set(name, read.place);
  }
  const alternatives: (readonly AskedScheme[])[] = [];
  for (const [index, requirement] of listOf(card['securityRequirements']).entries()) {
    const claim = `securityRequirements[${index}]`;
    refusals.push(...checkShape(requirement, claim, { schemes: { kind: 'object', isRequired: true } }));
    const asked = isMembers(requirement) && isMembers(requirement['schemes']) ? requirement['schemes'] : {};
    for (const name of Object.keys(asked).filter((each) => !Object.hasOwn(schemes, each))) {
      refusals.push({ claim, code: 'scheme-unknown', reason: `${name} is none of the card's securitySchemes` });
    }
    const known = Object.entries(asked).filter(([name]) => places.has(name));
    alternatives.push(known.map(([scheme, scopes]) => ({ scheme, scopes: scopesOf(scopes) as readonly string[] })));
    for (const [name, scopes] of known) refusals.push(...checkScopes(name, scopesOf(scopes), claim, abilities));
  }
  refusals.push(...checkUsers(alternatives, abilities.verifications));
  return { security: { places, alternatives }, refusals };
}

/** What is asked for: `{list}` in 1.0, a list in OpenAPI. */
function scopesOf(asked: unknown): readonly unknown[] {
  return isMembers(asked) ? listOf(asked['list']) : listOf(asked);
}

/** RFC 6749 §3.3: what a scope is made of, so that it can be said in a header. */
const isScope = /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/;

function checkScopes(
  name: string,
  scopes: readonly unknown[],
  claim: string,
  { verifications }: SecurityAbilities,
): CardRefusal[] {
  if (scopes.some((scope) => typeof scope !== 'string' || !isScope.test(scope))) {
    const reason = `the scopes of ${name} must be texts of visible ASCII characters, without quotes and backslashes`;
    return [{ claim, code: 'wrong-type', reason }];
  }
  const verification = verifications[name];
  if (scopes.length === 0 || verification === undefined || 'jwksUrl' in verification) return [];
  if (verification.scopesByUser !== undefined) return [];
  const reason = `${name} is required with scopes, and the handler's security does not say who has them (scopesByUser)`;
  return [{ claim, code: 'scheme-not-enforced', reason }];
}

/** Who shows two credentials is one user by both. */
function checkUsers(alternatives: SecurityClaims['alternatives'], verifications: Verifications): CardRefusal[] {
  const names = userNamesOf(alternatives, verifications);
  return alternatives.flatMap((asked, index): CardRefusal[] => {
    const schemes = asked.map(({ scheme }) => scheme);
    if (names.areOfOneSource(schemes)) return [];
    const reason = `${schemes.join(' and ')} are required together, and name different people: give both the same users`;
    return [{ claim: `securityRequirements[${index}]`, code: 'users-not-one', reason }];
  });
}

/** How users are named by the schemes that are required. */
export function userNamesOf(alternatives: SecurityClaims['alternatives'], verifications: Verifications): UserNames {
  const required = new Set(alternatives.flat().map(({ scheme }) => scheme));
  return new UserNames(new Map(Object.entries(verifications).filter(([name]) => required.has(name))));
}

function notVerified(name: string, place: CredentialPlace, abilities: SecurityAbilities): string | undefined {
  const verification = Object.hasOwn(abilities.verifications, name) ? abilities.verifications[name] : undefined;
  if (verification === undefined) return `the handler's security does not say how ${name} is verified`;
  if ((place.kind === 'certificate') !== 'certificateHeader' in verification) {
    return place.kind === 'certificate'
      ? `${name} is verified by a client's certificate: the handler's security must say in which header it is`
      : `the handler's security says that ${name} is verified by a client's certificate, which only an mtlsSecurityScheme is`;
  }
  if (place.kind !== 'certificate' || abilities.hasProxies) return undefined;
  return 'a client’s certificate is believed from known proxies alone: say with --proxies where they are';
}
