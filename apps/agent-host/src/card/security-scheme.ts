// One security scheme of a card: of a kind that the host looks for, or the reason why it is not.
import type { CardRefusal } from './card-refusal.ts';
import { checkForm, isMembers, type Members } from './members.ts';
import { schemeForm, schemeKinds } from './scheme-shape.ts';
import type { CredentialPlace } from './security.ts';

interface ReadScheme {
  /** Absent where it is refused. */
  readonly place?: CredentialPlace;
  readonly refusals: readonly CardRefusal[];
}

type Kind = (typeof schemeKinds)[number];

/** Where the credential is. `claim` is where the scheme stands in the card; of a scheme that is none its form has said so. */
export function readScheme(scheme: unknown, claim: string): ReadScheme {
  if (!isMembers(scheme) || checkForm(scheme, claim, schemeForm).length > 0) return { refusals: [] };
  const kind = schemeKinds.find((each) => isMembers(scheme[each]));
  const place = kind && placeOf(kind, scheme[kind] as Members);
  if (typeof place !== 'string') return { ...(place && { place }), refusals: [] };
  return { refusals: [{ claim, code: 'scheme-not-enforced', reason: place }] };
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
