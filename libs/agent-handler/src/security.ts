// How the host finds out who calls: one entry for each security scheme of the card that is to be enforced.

/** A bearer token, checked by the keys at `jwksUrl`; its `sub` is the user. */
export interface BearerJwt {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

/** Keys that were handed out: for each user the SHA-256 of the key, in hexadecimal. The keys themselves are kept nowhere. */
export interface ApiKeyHashes {
  readonly sha256ByUser: Readonly<Record<string, string>>;
}

export type SchemeVerification = BearerJwt | ApiKeyHashes;
