// The credential with which an agent is called. It must never be logged, put into a message, or shown to anybody but
// whom it is for.

/** Where else it may be shown than at the origin of the card. */
interface ShownAt {
  /** Absolute http(s) origins, as `URL.origin` writes them. */
  readonly origins?: readonly string[];
}

/** A client of OAuth 2.0 that is given tokens for itself (RFC 6749 §4.4). */
export interface OauthClient extends ShownAt {
  readonly type: 'oauth2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly audience?: string;
}

/** How to authenticate to an agent. */
export type AgentAuth =
  | (ShownAt & { readonly type: 'bearer'; readonly token: string })
  | (ShownAt & { readonly type: 'header'; readonly name: string; readonly value: string })
  | OauthClient
  /** PEM texts. `authorities`: whom to believe, where that is not the system's list. */
  | (ShownAt & {
      readonly type: 'mtls';
      readonly certificate: string;
      readonly privateKey: string;
      readonly authorities?: string;
    });

/** The origins that a credential may be shown at: its card's, and those that were registered with it. */
export function originsOf(auth: AgentAuth, cardUrl: string | undefined): ReadonlySet<string> {
  const own = cardUrl !== undefined && URL.canParse(cardUrl) ? [new URL(cardUrl).origin] : [];
  return new Set([...own, ...(auth.origins ?? [])]);
}
