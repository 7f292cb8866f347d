// Where an agent can be called, as its card says, in A2A's own order of preference.
import { isList, isObject, type JsonObject, member, textMember } from './shape.ts';

/** One way to call the agent. */
export interface AgentInterface {
  readonly url: string;
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON';
  /** `1.0`, or `0.3` for the older wire. */
  readonly protocolVersion: string;
  /** The agent's own tenant for its callers; nothing of ours. */
  readonly tenant?: string;
}

/** The http(s) interfaces over JSON-RPC or HTTP+JSON; empty where there is none. Reads cards of 1.0 and of 0.3. */
export function readInterfaces(card: unknown): readonly AgentInterface[] {
  if (!isObject(card)) return [];
  const declared = member(card, 'supportedInterfaces');
  const entries = isList(declared) && declared.length > 0 ? declared.map(ofCurrent) : legacyEntries(card);
  return entries.filter((entry) => entry !== undefined);
}

function ofCurrent(entry: unknown): AgentInterface | undefined {
  if (!isObject(entry)) return undefined;
  return usable(textMember(entry, 'url'), textMember(entry, 'protocolBinding'), {
    protocolVersion: textMember(entry, 'protocolVersion') ?? '1.0',
    ...(textMember(entry, 'tenant') !== undefined && { tenant: textMember(entry, 'tenant') }),
  });
}

// 0.3: one URL with its preferred transport (JSON-RPC unless said), and others beside it.
function legacyEntries(card: JsonObject): readonly (AgentInterface | undefined)[] {
  const protocolVersion = '0.3';
  const additional = member(card, 'additionalInterfaces');
  const main = usable(textMember(card, 'url'), textMember(card, 'preferredTransport') ?? 'JSONRPC', {
    protocolVersion,
  });
  const others = (isList(additional) ? additional : []).map((entry) =>
    isObject(entry) ? usable(textMember(entry, 'url'), textMember(entry, 'transport'), { protocolVersion }) : undefined,
  );
  return [main, ...others];
}

function usable(
  url: string | undefined,
  binding: string | undefined,
  rest: { readonly protocolVersion: string; readonly tenant?: string | undefined },
): AgentInterface | undefined {
  const protocolBinding = binding?.toUpperCase();
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') return undefined;
  const { protocolVersion, tenant } = rest;
  return { url, protocolBinding, protocolVersion, ...(tenant !== undefined && { tenant }) };
}
