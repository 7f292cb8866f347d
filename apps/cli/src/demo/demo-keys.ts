// The demo's keys: made anew each time, and those of the time before revoked. Within the watcher's process and over its
// API, the same.
import type { ApiKeys } from '#runtime';
import { callApi } from '../api.ts';
import type { DemoGrant } from './demo.ts';

interface KeyView {
  readonly keyId: string;
  readonly tenant: string;
  readonly name: string;
  readonly revokedAt?: string;
}

/** For the tenant `default`, in the watcher's own process. */
export async function remakeInProcess(keys: ApiKeys, demoGrant: DemoGrant): Promise<string> {
  const grant = { tenant: 'default', ...demoGrant };
  const earlier = (await keys.list(grant.tenant)).filter((key) => key.name === grant.name && key.revokedAt === null);
  for (const { keyId } of earlier) await keys.revoke(keyId);
  return (await keys.make(grant)).secret;
}

/** For the tenant of the key in the environment, which must be an administrator's. Throws `CommandError`. */
export async function remakeOverApi(grant: DemoGrant): Promise<string> {
  const made = (await callApi('POST', '/v1/keys', grant)) as KeyView & { readonly key: string };
  const listed = await callApi('GET', `/v1/keys?tenant=${encodeURIComponent(made.tenant)}`);
  const { items } = listed as { readonly items: readonly KeyView[] };
  const isEarlier = ({ name, keyId, revokedAt }: KeyView): boolean =>
    name === grant.name && keyId !== made.keyId && revokedAt === undefined;
  for (const { keyId } of items.filter(isEarlier)) await callApi('DELETE', `/v1/keys/${encodeURIComponent(keyId)}`);
  return made.key;
}
