// The headers that pass, each way: all but those of the connection itself (RFC 9110, 7.6.1) and those that are the watcher's.
// It must never forward `Duewatch-Key`, and adds no credential of its own.
import { validateHeaderValue } from 'node:http';
import { Problem } from '#runtime';
import { hostHeaders } from './own-origin.ts';

/** Names as they were sent, in their order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Names the client as a principal of the watcher's; nothing for the agent. */
export const KEY_HEADER = 'duewatch-key';

const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length'],
];
// The connector writes the host; who expects 100 has had it from this server; bytes must be readable as they pass.
const ofRequest = [...ofConnection, 'host', 'expect', 'accept-encoding', 'via', KEY_HEADER];

/** Gateways between a client and an agent: an agent whose card leads back here would be called for ever. */
const mostHops = 3;

export function pairsOf(rawHeaders: readonly string[]): HeaderPairs {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
}

/** Throws `Problem` where the request has been through this many gateways already. */
export function forwardedRequestHeaders(headers: HeaderPairs): HeaderPairs {
  const via = valuesOf(headers, 'via');
  if (via.filter((hop) => / duewatch$/.test(hop)).length >= mostHops) {
    throw new Problem('agent-answer-unusable', 'the agent’s card leads back to this gateway');
  }
  const passing = withoutNames(headers, [...ofRequest, ...nominated(headers)]);
  return [...passing, ['Accept-Encoding', 'identity'], ['Via', [...via, '1.1 duewatch'].join(', ')]];
}

/** By name, as Node's own answers take them. What is no header for Node, or is said of the whole host, is left out. */
export function forwardedAnswerHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, string | string[]> {
  const dropped = new Set([...ofConnection, ...hostHeaders, ...splitList([headers['connection']].flat().join(','))]);
  const passing = new Map<string, string | string[]>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name.toLowerCase()) || !isSendable(name, value)) continue;
    passing.set(name, value);
  }
  return passing;
}

/** The members of a header that is a list, over all its lines. */
export function valuesOf(headers: HeaderPairs, name: string): readonly string[] {
  return headers.flatMap(([each, value]) => (each.toLowerCase() === name ? splitValues(value) : []));
}

export function withoutNames(headers: HeaderPairs, names: readonly string[]): HeaderPairs {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

export function splitValues(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

function nominated(headers: HeaderPairs): readonly string[] {
  return valuesOf(headers, 'connection').map((name) => name.toLowerCase());
}

function splitList(text: string): readonly string[] {
  return splitValues(text).map((name) => name.toLowerCase());
}

function isSendable(name: string, value: string | string[]): boolean {
  try {
    for (const each of [value].flat()) validateHeaderValue(name, each);
    return true;
  } catch {
    return false;
  }
}
