// The first administrator's key of the tenant `default`. It must never lift a revocation.
import type { Config } from '../config.ts';
import type { ApiKeys, KeyGrant } from './api-keys.ts';

/** The tenant whose administrators are the operators of the deployment. */
export const operatorTenant = 'default';

const firstGrant: Omit<KeyGrant, 'name'> = { tenant: operatorTenant, scopes: ['admin'], sources: ['*'] };

/**
 * With `bootstrapKey`, that key is there afterwards (and any other that an earlier value made is revoked). Without, one is made
 * unless an administrator of the operators' tenant has a key already. Resolves to the secret of a key made, to be shown once.
 * `warn` is told where the `bootstrapKey` lets nobody in.
 */
export async function ensureFirstKey(
  keys: ApiKeys,
  config: Pick<Config, 'bootstrapKey'>,
  warn: (message: string) => void = () => undefined,
): Promise<string | undefined> {
  const live = (await keys.list(operatorTenant)).filter(
    (key) => key.revokedAt === null && key.scopes.includes('admin'),
  );
  if (config.bootstrapKey === undefined) {
    return live.length > 0 ? undefined : (await keys.make({ ...firstGrant, name: 'administrator' })).secret;
  }
  const wanted = await keys.findBySecret(config.bootstrapKey);
  const replaced = live.filter((key) => key.name === 'bootstrap' && key.keyId !== wanted?.keyId);
  if (wanted !== null && wanted.revokedAt !== null) {
    warn('DUEWATCH_BOOTSTRAP_KEY is a key that was revoked, and stays so: set another');
    return undefined;
  }
  if (wanted === null) await makeOnce(keys, config.bootstrapKey);
  for (const key of replaced) await keys.revoke(key.keyId);
  return undefined;
}

/** Of several processes that start at once one makes it. */
async function makeOnce(keys: ApiKeys, secret: string): Promise<void> {
  try {
    await keys.make({ ...firstGrant, name: 'bootstrap' }, secret);
  } catch (error) {
    if ((await keys.findBySecret(secret)) === null) throw error;
  }
}
