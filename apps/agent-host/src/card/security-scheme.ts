// One security scheme of a card: of a kind that the host looks for, or the reason why it is not.
import type { CardRefusal } from './card-refusal.ts';
import { checkShape, isMembers, type Members, type Shape } from './members.ts';
import type { CredentialPlace } from './security.ts';

interface ReadScheme {
  /** Absent where it is refused. */
  readonly place?: CredentialPlace;
  readonly refusals: readonly CardRefusal[];
}

type Kind = keyof typeof shapes;

/** A2A has OpenAPI's kinds, and mutual TLS. */
const shapes = {
  httpAuthSecurityScheme: {
    scheme: { kind: 'text', isRequired: true },
    bearerFormat: { kind: 'text' },
    description: { kind: 'text' },
  },
  apiKeySecurityScheme: {
    location: { kind: 'text', isRequired: true },
    name: { kind: 'text', isRequired: true },
    description: { kind: 'text' },
  },
  oauth2SecurityScheme: {
    flows: { kind: 'object', isRequired: true },
    oauth2MetadataUrl: { kind: 'text' },
    description: { kind: 'text' },
  },
  openIdConnectSecurityScheme: {
    openIdConnectUrl: { kind: 'text', isRequired: true },
    description: { kind: 'text' },
  },
  mtlsSecurityScheme: { description: { kind: 'text' } },
} as const satisfies Readonly<Record<string, Shape>>;

const kinds = Object.keys(shapes) as readonly Kind[];

/** Where the credential is. `claim` is where the scheme stands in the card. */
export function readScheme(scheme: unknown, claim: string): ReadScheme {
  const [kind, ...others] = isMembers(scheme) ? kinds.filter((each) => (scheme[each] ?? undefined) !== undefined) : [];
  if (!isMembers(scheme) || kind === undefined || others.length > 0) {
    return refused(claim, `it must be one of ${kinds.join(', ')}`);
  }
  const wrong = [
    ...checkShape(scheme, claim, { [kind]: { kind: 'object', isRequired: true } }),
    ...checkShape(scheme[kind], `${claim}.${kind}`, shapes[kind]),
  ];
  if (wrong.length > 0) return { refusals: wrong };
  const place = placeOf(kind, scheme[kind] as Members);
  return typeof place === 'string' ? refused(claim, place) : { place, refusals: [] };
}

/** A sentence where the host does not look for such a one. */
function placeOf(kind: Kind, members: Members): CredentialPlace | string {
  switch (kind) {
    case 'httpAuthSecurityScheme': {
      const isBearer = String(members['scheme']).toLowerCase() === 'bearer';
      return isBearer ? { kind: 'bearer' } : 'of the HTTP schemes the host verifies Bearer alone';
    }
    case 'apiKeySecurityScheme': {
      const name = String(members['name']);
      if (members['location'] === 'header') return { kind: 'header', name: name.toLowerCase() };
      return members['location'] === 'query'
        ? { kind: 'query', name }
        : 'a key is looked for in a header or in the query: browsers send cookies for whoever asks them to';
    }
    case 'oauth2SecurityScheme':
    case 'openIdConnectSecurityScheme':
      return { kind: 'bearer' };
    case 'mtlsSecurityScheme':
      return { kind: 'certificate' };
  }
}

function refused(claim: string, reason: string): ReadScheme {
  return { refusals: [{ claim, code: 'scheme-not-enforced', reason }] };
}
