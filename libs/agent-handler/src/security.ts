// How the host finds out who calls: one entry for each security scheme of the card that is to be enforced.

/** Whose names a scheme says. */
export interface NamedUsers {
  /**
   * What tells its users from those of other schemes. Unless given, a token's issuer, and of others the scheme's name;
   * schemes that say the same are about the same people. Where all that the card requires do, names stay as they are;
   * else `<users>|<name>` is the user. Empty: names stay as they are in any case. It has no `|`.
   */
  readonly users?: string;
}

/** What each user may do, by the user's name as the scheme says it; tokens say so themselves, by `scope` or `scp`. */
export interface ScopedUsers {
  readonly scopesByUser?: Readonly<Record<string, readonly string[]>>;
}

/** A bearer token, checked by the keys at `jwksUrl`; its `sub` is the user. */
export interface BearerJwt extends NamedUsers {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
}

/** Keys that were handed out: for each user the SHA-256 of the key, in hexadecimal. The keys themselves are kept nowhere. */
export interface ApiKeyHashes extends NamedUsers, ScopedUsers {
  readonly sha256ByUser: Readonly<Record<string, string>>;
}

/**
 * `rfc9440`: the certificate's DER in base64 between colons. `escapedPem`: its PEM with URL's escapes, as nginx
 * (`$ssl_client_escaped_cert`), ingress-nginx and Envoy (`%DOWNSTREAM_PEER_CERT%`) write it.
 */
export type CertificateForm = 'rfc9440' | 'escapedPem';

/**
 * A client's certificate (mutual TLS), as a proxy that ends TLS writes it into a header. It is believed from the proxies
 * that the host is told of, alone, and while it is valid. Either of the last two is given.
 */
export interface ClientCertificate extends NamedUsers, ScopedUsers {
  /** `Client-Cert`, unless the proxy calls it otherwise. */
  readonly certificateHeader: string;
  readonly certificateForm: CertificateForm;
  /** For each user the SHA-256 of the certificate's DER, in hexadecimal. */
  readonly fingerprintByUser?: Readonly<Record<string, string>>;
  /** Who signs clients' certificates, each by itself, as PEM; the subject, `CN=…,O=…`, is the user. */
  readonly authorities?: readonly string[];
}

export type SchemeVerification = BearerJwt | ApiKeyHashes | ClientCertificate;
