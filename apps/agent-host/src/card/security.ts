// What a card requires of callers: every requirement names schemes that are declared and that the host verifies.
import type { CardRefusal } from './card-refusal.ts';
import { checkShape, isMembers, listOf, type Members } from './members.ts';

/** How a credential travels, as the card has it. */
export type CredentialPlace =
  | { readonly kind: 'bearer' }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'query'; readonly name: string };

/** Schemes by name; of the alternatives one must be met whole. None: nobody is asked. */
export interface SecurityClaims {
  readonly places: ReadonlyMap<string, CredentialPlace>;
  readonly alternatives: readonly (readonly string[])[];
}

export function readSecurity(
  card: Members,
  verifiedSchemes: readonly string[],
): { readonly security: SecurityClaims; readonly refusals: readonly CardRefusal[] } {
  const refusals: CardRefusal[] = [];
  const places = new Map<string, CredentialPlace>();
  const schemes = isMembers(card['securitySchemes']) ? card['securitySchemes'] : {};
  for (const [name, scheme] of Object.entries(schemes)) {
    const claim = `securitySchemes.${name}`;
    const place = placeOf(scheme);
    if (typeof place === 'string') refusals.push({ claim, code: 'scheme-not-enforced', reason: place });
    else if (!verifiedSchemes.includes(name)) {
      const reason = `the handler's security does not say how ${name} is verified`;
      refusals.push({ claim, code: 'scheme-not-enforced', reason });
    } else places.set(name, place);
  }
  const alternatives: (readonly string[])[] = [];
  for (const [index, requirement] of listOf(card['securityRequirements']).entries()) {
    const claim = `securityRequirements[${index}]`;
    refusals.push(...checkShape(requirement, claim, { schemes: { kind: 'object', isRequired: true } }));
    const asked = isMembers(requirement) && isMembers(requirement['schemes']) ? requirement['schemes'] : {};
    const names = Object.keys(asked);
    alternatives.push(names);
    for (const name of names) refusals.push(...checkAsked(name, asked[name], schemes, claim));
  }
  return { security: { places, alternatives }, refusals };
}

function checkAsked(name: string, asked: unknown, schemes: Members, claim: string): CardRefusal[] {
  if (!Object.hasOwn(schemes, name)) {
    return [{ claim, code: 'scheme-unknown', reason: `${name} is none of the card's securitySchemes` }];
  }
  const scopes = isMembers(asked) ? listOf(asked['list']) : listOf(asked);
  if (scopes.length === 0) return [];
  return [
    { claim, code: 'scheme-not-enforced', reason: `the host asks for no scopes, and ${name} is required with some` },
  ];
}

/** Where the credential is; a sentence where the host does not look for such a one. */
function placeOf(scheme: unknown): CredentialPlace | string {
  if (!isMembers(scheme)) return 'it must be an object';
  const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = scheme;
  if (isMembers(http)) {
    const isBearer = typeof http['scheme'] === 'string' && http['scheme'].toLowerCase() === 'bearer';
    return isBearer ? { kind: 'bearer' } : 'of the HTTP schemes the host verifies Bearer alone';
  }
  if (isMembers(key)) {
    const { location, name } = key;
    if (typeof name !== 'string' || name === '') return 'the name of the key is missing';
    if (location === 'header') return { kind: 'header', name: name.toLowerCase() };
    return location === 'query' ? { kind: 'query', name } : 'a key is looked for in a header or in the query';
  }
  if (isMembers(scheme['openIdConnectSecurityScheme']) || isMembers(scheme['oauth2SecurityScheme'])) {
    return { kind: 'bearer' };
  }
  return 'the host verifies bearer tokens and API keys';
}
