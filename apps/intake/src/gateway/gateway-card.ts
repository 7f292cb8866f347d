// An agent's own card with its interfaces at the gateway. Whatever else is on it stays as it is, known or not, except its
// signatures, which would be false. It must never lead a client past the gateway.
import { isList, isObject, type JsonObject, member, readInterfaces, textMember } from '#protocol';
import { type GatewayInterface, interfaceOf } from './gateway-interfaces.ts';

const signatures: readonly string[] = ['signatures', 'signature'];

/** The card, with `base` (no slash at its end) and the path of each interface for its URL; others are dropped. */
export function gatewayCard(card: unknown, interfaces: readonly GatewayInterface[], base: string): unknown {
  if (!isObject(card)) return card;
  const rewritten: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(card)) {
    if (!signatures.includes(name)) rewritten[name] = value;
  }
  const placed = { interfaces, base };
  rewriteList(rewritten, ['supportedInterfaces', 'supported_interfaces'], placed, (entry) => ({
    supportedInterfaces: [entry],
  }));
  rewriteList(rewritten, ['additionalInterfaces', 'additional_interfaces'], placed, (entry) => ({
    additionalInterfaces: [entry],
  }));
  rewriteMain(rewritten, card, placed);
  return rewritten;
}

interface Placed {
  readonly interfaces: readonly GatewayInterface[];
  readonly base: string;
}

function rewriteList(
  card: Record<string, unknown>,
  names: readonly string[],
  { interfaces, base }: Placed,
  alone: (entry: JsonObject) => unknown,
): void {
  for (const name of names) {
    const entries = card[name];
    if (!isList(entries)) continue;
    card[name] = entries.flatMap((entry) => {
      const found = isObject(entry) ? interfaceOf(interfaces, readInterfaces(alone(entry))[0]) : undefined;
      return found === undefined ? [] : [{ ...(entry as JsonObject), url: `${base}/${found.path}` }];
    });
  }
}

// 0.3: the URL of the preferred transport. Where that cannot be forwarded, another of the interfaces stands for it.
function rewriteMain(rewritten: Record<string, unknown>, card: JsonObject, { interfaces, base }: Placed): void {
  const url = textMember(card, 'url');
  if (url === undefined) return;
  const preferredTransport = member(card, 'preferredTransport');
  const own = interfaceOf(
    interfaces,
    readInterfaces({ url, ...(preferredTransport !== undefined && { preferredTransport }) })[0],
  );
  const legacy = readInterfaces({ ...card, supportedInterfaces: [], supported_interfaces: [] });
  const main = own ?? interfaceOf(interfaces, legacy[0]) ?? interfaces[0];
  if (main === undefined) {
    delete rewritten['url'];
    return;
  }
  rewritten['url'] = `${base}/${main.path}`;
  if (main !== own) {
    delete rewritten['preferred_transport'];
    rewritten['preferredTransport'] = main.protocolBinding;
  }
}
