// The credential that a client gives when it registers an agent, checked. What is wrong with it must never repeat it.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { AgentAuth, OauthClient } from '#protocol';
import { invalidField, readFields, readText } from '#runtime';

const types = ['bearer', 'header', 'oauth2', 'mtls'] as const;

const membersOf: Readonly<Record<(typeof types)[number], readonly string[]>> = {
  bearer: ['token'],
  header: ['name', 'value'],
  oauth2: ['tokenUrl', 'clientId', 'clientSecret', 'scope', 'audience'],
  mtls: ['certificate', 'privateKey', 'authorities'],
};

const originsCount = 20;
const pemCharacters = 65_536;

/** `cardUrl` is where it will be shown first. Throws `Problem` naming the field. */
export function readAuth(value: unknown, cardUrl: unknown): AgentAuth {
  const { type: named } = readFields(value, 'auth', ['type', 'origins', ...Object.values(membersOf).flat()]);
  const type = types.find((known) => known === named);
  if (type === undefined) throw invalidField('auth.type', `must be one of ${types.join(', ')}`);
  const { origins, ...fields } = readFields(value, 'auth', ['type', 'origins', ...membersOf[type]]);
  return { ...readOfType(type, fields, cardUrl), ...(origins !== undefined && { origins: readOrigins(origins) }) };
}

function readOfType(
  type: (typeof types)[number],
  fields: Readonly<Record<string, unknown>>,
  cardUrl: unknown,
): AgentAuth {
  switch (type) {
    case 'bearer':
      return { type, token: readHeaderValue(fields['token'], 'auth.token') };
    case 'header':
      return {
        type,
        name: readHeaderName(fields['name'], 'auth.name'),
        value: readHeaderValue(fields['value'], 'auth.value'),
      };
    case 'oauth2':
      return readOauth(fields);
    case 'mtls':
      return readMtls(fields, cardUrl);
  }
}

function readOauth({ tokenUrl, clientId, clientSecret, scope, audience }: Readonly<Record<string, unknown>>) {
  const client: OauthClient = {
    type: 'oauth2',
    tokenUrl: readTokenUrl(tokenUrl),
    clientId: readText(clientId, 'auth.clientId'),
    clientSecret: readText(clientSecret, 'auth.clientSecret', 8_192),
    ...(scope !== undefined && { scope: readText(scope, 'auth.scope') }),
    ...(audience !== undefined && { audience: readText(audience, 'auth.audience', 2_048) }),
  };
  return client;
}

function readTokenUrl(value: unknown): string {
  const text = readText(value, 'auth.tokenUrl', 2_048);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isCallable = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (!isCallable) throw invalidField('auth.tokenUrl', 'must be an http or https URL, without a user');
  return text;
}

function readMtls(
  { certificate, privateKey, authorities }: Readonly<Record<string, unknown>>,
  cardUrl: unknown,
): AgentAuth {
  const cert = readPem(certificate, 'auth.certificate');
  const key = readPem(privateKey, 'auth.privateKey');
  const ca = authorities === undefined ? undefined : readPem(authorities, 'auth.authorities');
  const shown = parsed('auth.certificate', 'must be a certificate as PEM', () => new X509Certificate(cert));
  const wanted = 'must be a private key as PEM, not encrypted';
  const own = parsed('auth.privateKey', wanted, () => createPrivateKey(key));
  if (!shown.checkPrivateKey(own)) throw invalidField('auth.privateKey', 'is not the key of the certificate');
  if (ca !== undefined) readAuthorities(ca);
  const usable = 'cannot be used for TLS: its key or digest is too weak';
  parsed('auth.certificate', usable, () => createSecureContext({ cert, key, ...(ca !== undefined && { ca }) }));
  if (typeof cardUrl === 'string' && !/^https:/i.test(cardUrl)) {
    throw invalidField('auth.type', 'mtls needs a cardUrl of https: over http no certificate is shown');
  }
  return { type: 'mtls', certificate: cert, privateKey: key, ...(ca !== undefined && { authorities: ca }) };
}

function readAuthorities(text: string): void {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [''];
  for (const block of blocks) {
    parsed('auth.authorities', 'must be certificates as PEM', () => new X509Certificate(block));
  }
}

/** What OpenSSL says of a text may repeat it. */
function parsed<T>(field: string, message: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw invalidField(field, message);
  }
}

function readPem(value: unknown, path: string): string {
  if (typeof value !== 'string' || value.length > pemCharacters || !/^[\t\r\n\x20-\x7e]+$/.test(value)) {
    throw invalidField(path, `must be a PEM text of at most ${pemCharacters} characters`);
  }
  return value;
}

function readOrigins(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length > originsCount) {
    throw invalidField('auth.origins', `must be a list of at most ${originsCount} origins`);
  }
  return value.map((item: unknown, index) => {
    const path = `auth.origins[${index}]`;
    const text = readText(item, path, 2_048);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
    if (!isOrigin) throw invalidField(path, 'must be an origin, such as https://agent.example:8443');
    return url.origin;
  });
}

/** Headers that are the connection's or the protocol's own. */
const reserved =
  /^(host|connection|keep-alive|proxy-.*|transfer-encoding|te|trailer|upgrade|expect|content-.*|accept|(x-)?a2a-.*)$/i;

/** Throws `Problem` naming the field, as does `readHeaderValue`. */
export function readHeaderName(value: unknown, path: string): string {
  const name = readText(value, path, 100);
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw invalidField(path, 'must be the name of a header');
  if (reserved.test(name)) throw invalidField(path, 'must not be a header of HTTP or A2A itself');
  return name;
}

export function readHeaderValue(value: unknown, path: string): string {
  const text = readText(value, path, 8_192);
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) throw invalidField(path, 'must be visible ASCII');
  return text;
}
