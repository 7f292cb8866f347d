// Where a request has its credential, as the card says.
import type { Request } from 'express';
import type { CredentialPlace } from '../card/security.ts';

/** Undefined where there is none, or more than one. */
export function credentialOf(request: Request, place: CredentialPlace): string | undefined {
  switch (place.kind) {
    case 'bearer':
      return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    case 'header':
      return textOf(request.headers[place.name]);
    case 'query':
      return textOf(request.query[place.name]);
    case 'certificate':
      return undefined;
  }
}

function textOf(found: unknown): string | undefined {
  return typeof found === 'string' && found !== '' ? found : undefined;
}
