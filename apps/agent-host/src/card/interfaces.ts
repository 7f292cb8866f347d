// Which transports a card claims, and where: each interface becomes what is mounted at its URL's path.
import type { CardRefusal } from './card-refusal.ts';
import { checkShape, isMembers, listOf } from './members.ts';

export type Binding = 'HTTP+JSON' | 'JSONRPC';
export type ProtocolVersion = '1.0' | '0.3';

export const bindings: readonly Binding[] = ['HTTP+JSON', 'JSONRPC'];
export const protocolVersions: readonly ProtocolVersion[] = ['1.0', '0.3'];

export interface ServedInterface {
  readonly binding: Binding;
  readonly version: ProtocolVersion;
  /** Without a slash at its end; empty for the root. */
  readonly path: string;
  /** What the URL's clients are told to send as the tenant; empty unless the card says so. */
  readonly tenant: string;
}

const shape = {
  url: { kind: 'text', isRequired: true },
  protocolBinding: { kind: 'text', isRequired: true },
  protocolVersion: { kind: 'text', isRequired: true },
  tenant: { kind: 'text' },
} as const;

/** Paths that the host answers itself. */
export const reserved = /^\/(\.well-known|health)(\/|$)/;

export function readInterfaces(card: Readonly<Record<string, unknown>>): {
  readonly interfaces: readonly ServedInterface[];
  readonly refusals: readonly CardRefusal[];
} {
  const listed = listOf(card['supportedInterfaces']);
  const interfaces: ServedInterface[] = [];
  const refusals: CardRefusal[] = [];
  for (const [index, claimed] of listed.entries()) {
    const at = `supportedInterfaces[${index}]`;
    const wrong = [...checkShape(claimed, at, shape), ...(isMembers(claimed) ? checkClaims(claimed, at) : [])];
    refusals.push(...wrong);
    if (wrong.length > 0 || !isMembers(claimed)) continue;
    const served = toServed(claimed);
    const isTwice = interfaces.some((other) => keyOf(other) === keyOf(served));
    if (isTwice) {
      refusals.push({ claim: at, code: 'interface-twice', reason: 'an interface before it claims the same' });
    } else interfaces.push(served);
  }
  return { interfaces, refusals };
}

function checkClaims(claimed: Readonly<Record<string, unknown>>, at: string): CardRefusal[] {
  const { url, protocolBinding, protocolVersion } = claimed;
  const refusals: CardRefusal[] = [];
  if (typeof url === 'string' && url !== '') refusals.push(...checkUrl(url, `${at}.url`));
  if (typeof protocolBinding === 'string' && !bindings.some((binding) => binding === protocolBinding)) {
    const reason = `the host serves ${bindings.join(' and ')}, not ${protocolBinding}`;
    refusals.push({ claim: `${at}.protocolBinding`, code: 'binding-not-served', reason });
  }
  if (typeof protocolVersion === 'string' && !protocolVersions.some((version) => version === protocolVersion)) {
    const reason = `the host serves ${protocolVersions.join(' and ')} of the protocol, not ${protocolVersion}`;
    refusals.push({ claim: `${at}.protocolVersion`, code: 'version-not-served', reason });
  }
  return refusals;
}

function checkUrl(text: string, claim: string): CardRefusal[] {
  const wrong = (reason: string): CardRefusal[] => [{ claim, code: 'interface-url', reason }];
  if (!URL.canParse(text)) return wrong('it must be the public URL, with its scheme');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) return wrong('both bindings are served over http or https');
  if (url.username + url.password + url.search + url.hash !== '') {
    return wrong('it may have no user, query or fragment');
  }
  // Routes are patterns to the router: a path is taken as it is written or not at all.
  if (!/^[A-Za-z0-9/._~-]*$/.test(url.pathname))
    return wrong('its path may have letters, digits, "/", "-", ".", "_" and "~"');
  if (!reserved.test(url.pathname)) return [];
  return [{ claim, code: 'path-reserved', reason: `${url.pathname} is where the host itself answers` }];
}

function toServed(claimed: Readonly<Record<string, unknown>>): ServedInterface {
  return {
    binding: claimed['protocolBinding'] as Binding,
    version: claimed['protocolVersion'] as ProtocolVersion,
    path: new URL(claimed['url'] as string).pathname.replace(/\/+$/, ''),
    tenant: (claimed['tenant'] as string | undefined) ?? '',
  };
}

function keyOf({ binding, version, path, tenant }: ServedInterface): string {
  return JSON.stringify([binding, version, path, tenant]);
}
