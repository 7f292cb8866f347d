// The credential with which an agent is called. It must never be logged or put into a message.

export type AgentAuth =
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

/** The request headers that carry it; none without one. */
export function authHeaders(auth: AgentAuth | undefined): Readonly<Record<string, string>> {
  if (auth === undefined) return {};
  return auth.type === 'bearer' ? { authorization: `Bearer ${auth.token}` } : { [auth.name]: auth.value };
}
