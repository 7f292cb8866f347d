// Where an agent can be called, as its card says, in A2A's own order of preference.
import { isUsableId } from './limits.ts';
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

/** Of one card so many are kept: an agent has a few, and each costs whoever calls it. */
const interfacesCount = 32;

/**
 * The http(s) interfaces over JSON-RPC or HTTP+JSON, the first 32; empty where there is none. Reads cards of 1.0 and of 0.3.
 * One whose URL, tenant or version is no usable id could not be called, and is left out.
 */
export function readInterfaces(card: unknown): readonly AgentInterface[] {
  if (!isObject(card)) return [];
  const declared = member(card, 'supportedInterfaces');
  const entries = isList(declared) && declared.length > 0 ? currentEntries(declared) : legacyEntries(card);
  const found: AgentInterface[] = [];
  for (const entry of entries) {
    if (entry !== undefined) found.push(entry);
    if (found.length === interfacesCount) break;
  }
  return found;
}

function* currentEntries(declared: readonly unknown[]): Iterable<AgentInterface | undefined> {
  for (const entry of declared) yield ofCurrent(entry);
}

function ofCurrent(entry: unknown): AgentInterface | undefined {
  if (!isObject(entry)) return undefined;
  return usable(textMember(entry, 'url'), textMember(entry, 'protocolBinding'), {
    protocolVersion: textMember(entry, 'protocolVersion') ?? '1.0',
    ...(textMember(entry, 'tenant') !== undefined && { tenant: textMember(entry, 'tenant') }),
  });
}

// 0.3: one URL with its preferred transport (JSON-RPC unless said), and others beside it.
function* legacyEntries(card: JsonObject): Iterable<AgentInterface | undefined> {
  const protocolVersion = '0.3';
  const additional = member(card, 'additionalInterfaces');
  yield usable(textMember(card, 'url'), textMember(card, 'preferredTransport') ?? 'JSONRPC', { protocolVersion });
  for (const entry of isList(additional) ? additional : []) {
    if (isObject(entry)) yield usable(textMember(entry, 'url'), textMember(entry, 'transport'), { protocolVersion });
  }
}

function usable(
  url: string | undefined,
  binding: string | undefined,
  rest: { readonly protocolVersion: string; readonly tenant?: string | undefined },
): AgentInterface | undefined {
  const protocolBinding = binding?.toUpperCase();
  const { protocolVersion, tenant } = rest;
  if (!isUsableId(url) || !isUsableId(protocolVersion) || (tenant !== undefined && !isUsableId(tenant)))
    return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
  if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') return undefined;
  return { url, protocolBinding, protocolVersion, ...(tenant !== undefined && { tenant }) };
}
