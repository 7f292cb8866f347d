// `keys`: over `/v1/keys`, like anyone else.
import { callApi } from '../api.ts';

interface KeyView {
  readonly keyId: string;
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly sources: readonly string[];
  readonly revokedAt?: string | null;
}

export interface CreateOptions {
  readonly tenant?: string;
  readonly name?: string;
  readonly scope: readonly string[];
  readonly source?: readonly string[];
  readonly json?: true;
}

export interface ListOptions {
  readonly tenant?: string;
  readonly json?: true;
}

/** Prints the key: it is shown once. */
export async function createKey({ tenant, name, scope, source, json }: CreateOptions): Promise<void> {
  const scopes = split(scope);
  const sources = split(source ?? []);
  const wanted = {
    ...(tenant === undefined ? {} : { tenant }),
    name: name ?? nameOf(sources, scopes),
    scopes,
    sources,
  };
  const made = (await callApi('POST', '/v1/keys', wanted)) as KeyView & { readonly key: string };
  const shown = `${made.key}\nkey ${made.keyId} of ${made.name}, tenant ${made.tenant}; it is shown this once\n`;
  process.stdout.write(json === true ? `${JSON.stringify(made)}\n` : shown);
}

export async function listKeys({ tenant, json }: ListOptions): Promise<void> {
  const query = tenant === undefined ? '' : `?tenant=${encodeURIComponent(tenant)}`;
  const { items } = (await callApi('GET', `/v1/keys${query}`)) as { readonly items: readonly KeyView[] };
  for (const key of items) process.stdout.write(json === true ? `${JSON.stringify(key)}\n` : describe(key));
}

export async function revokeKey(keyId: string): Promise<void> {
  await callApi('DELETE', `/v1/keys/${encodeURIComponent(keyId)}`);
  process.stdout.write(`revoked ${keyId}\n`);
}

function describe({ keyId, tenant, name, scopes, sources, revokedAt }: KeyView): string {
  const state = revokedAt == null ? '' : `  revoked ${revokedAt}`;
  return `${keyId}  ${tenant}  ${name}  ${scopes.join(',')}  ${sources.join(',') || '-'}${state}\n`;
}

/** Who it is, where nobody says: the first source it may claim, else what it is for. */
function nameOf(sources: readonly string[], scopes: readonly string[]): string {
  const source = sources[0]?.replace(/[*:]+$/, '');
  return source === undefined || source === '' ? (scopes[0] ?? 'key') : source;
}

/** Lists are taken repeated, spaced or with commas. */
function split(values: readonly string[]): string[] {
  return values.flatMap((value) => value.split(',')).filter((value) => value !== '');
}
