// Where at the gateway each of an agent's interfaces is. A client keeps a URL for days: the path names binding and version
// and no place in a list, so that a card may be reordered or added to. It must never name an interface that is not the card's.
import { createHash } from 'node:crypto';
import { type AgentInterface, isObject, readInterfaces } from '#protocol';

/** The bindings as they stand in paths. */
export const bindings = ['jsonrpc', 'rest'] as const;

export type Binding = (typeof bindings)[number];

export interface GatewayInterface extends AgentInterface {
  readonly binding: Binding;
  /** Major and minor. */
  readonly version: string;
  /** Of URL and tenant: tells interfaces of one binding and version apart. */
  readonly hash: string;
  /** Under `/a2a/{tenant}/{agentId}/`. */
  readonly path: string;
}

/** The card's interfaces that can be forwarded, in its order; those of 0.3 that stand beside 1.0's included. */
export function gatewayInterfaces(card: unknown): readonly GatewayInterface[] {
  const declared = [...readInterfaces(card), ...readInterfaces(withoutCurrent(card))].map(placed);
  const known = new Map(declared.map((each) => [`${plainPath(each)}-${each.hash}`, each]));
  const counts = new Map<string, number>();
  for (const each of known.values()) counts.set(plainPath(each), (counts.get(plainPath(each)) ?? 0) + 1);
  return [...known.values()].map((each) => {
    const plain = plainPath(each);
    return { ...each, path: counts.get(plain) === 1 ? plain : `${plain}-${each.hash}` };
  });
}

/**
 * The interface that a path names: `1.0`, or `1.0-0a1b2c3d` where the card has several of one binding and version; the
 * first of several where the path does not say which, as a client from before there were several has it.
 */
export function interfaceAt(
  interfaces: readonly GatewayInterface[],
  binding: Binding,
  segment: string,
): GatewayInterface | undefined {
  const [, version, hash] = /^(\d{1,3}\.\d{1,3})(?:-([0-9a-f]{8}))?$/.exec(segment) ?? [];
  const named = interfaces.filter((each) => each.binding === binding && each.version === version);
  return hash === undefined ? named[0] : named.find((each) => each.hash === hash);
}

/** The interface that an entry of a card is; undefined where it cannot be forwarded. */
export function interfaceOf(
  interfaces: readonly GatewayInterface[],
  entry: AgentInterface | undefined,
): GatewayInterface | undefined {
  if (entry === undefined) return undefined;
  const { hash, ...wanted } = placed(entry);
  return interfaces.find((each) => each.hash === hash && isLike(each, wanted));
}

/** Whether it speaks 0.3 or older. */
export function isLegacy({ version }: Pick<GatewayInterface, 'version'>): boolean {
  return version.startsWith('0.');
}

function placed(entry: AgentInterface): Omit<GatewayInterface, 'path'> {
  const [, version = '1.0'] = /^(\d{1,3}\.\d{1,3})(?!\d)/.exec(entry.protocolVersion) ?? [];
  const hash = createHash('sha256')
    .update(JSON.stringify([entry.url, entry.tenant ?? '']))
    .digest('hex')
    .slice(0, 8);
  return { ...entry, binding: entry.protocolBinding === 'JSONRPC' ? 'jsonrpc' : 'rest', version, hash };
}

function plainPath({ binding, version }: Pick<GatewayInterface, 'binding' | 'version'>): string {
  return `${binding}/${version}`;
}

function isLike(one: Pick<GatewayInterface, 'binding' | 'version'>, other: typeof one): boolean {
  return one.binding === other.binding && one.version === other.version;
}

function withoutCurrent(card: unknown): unknown {
  return isObject(card) ? { ...card, supportedInterfaces: [], supported_interfaces: [] } : undefined;
}
