// Whether a Redis can be trusted with tasks, by what it says of itself. Pure.

/** The Redis cannot keep what it would be given, as it is configured. */
export class RedisUnfitError extends Error {
  override readonly name = 'RedisUnfitError';
  readonly retryable = false;
}

export interface RedisSettings {
  /** What INFO says. */
  readonly info: string;
  /** What CONFIG GET says of `save`; undefined where it may not be asked. */
  readonly save: string | undefined;
  /** What ACL GETUSER says the user `default` may do; undefined where it may not be asked. */
  readonly defaultUser: { readonly commands: string; readonly keys: string } | undefined;
}

export interface Fitness {
  /** Why it is not used; undefined where it is. */
  readonly unfit?: string;
  /** What whoever runs it should know. */
  readonly warnings: readonly string[];
}

export function fitnessOf({ info, save, defaultUser }: RedisSettings): Fitness {
  const said = new Map(Array.from(info.matchAll(/^(\w+):(.*?)\r?$/gm), ([, name, value]) => [name, value] as const));
  const isAppended = said.get('aof_enabled') === '1';
  const warnings: string[] = [];
  if (said.get('role') === 'slave') {
    warnings.push('Redis is a replica: nothing can be written until it is the primary');
  }
  if (!isAppended) {
    warnings.push(
      save === ''
        ? 'Redis keeps nothing on disk (no appendonly, no save): a restart of it loses all that it was given'
        : 'Redis keeps snapshots alone (no appendonly): a restart of it may lose what came after the last',
    );
  }
  const unfit =
    unfitByPolicy(said.get('maxmemory_policy') ?? '') ??
    unfitByKind(said.get('cluster_enabled') === '1') ??
    (isAppended ? unfitByUser(defaultUser) : undefined);
  return { warnings, ...(unfit !== undefined && { unfit }) };
}

/** No key has a time to live, so that the volatile policies let go of none. */
function unfitByPolicy(policy: string): string | undefined {
  if (!policy.startsWith('allkeys')) return undefined;
  return `Redis lets go of any key when its memory is full (maxmemory-policy ${policy}): set noeviction`;
}

function unfitByKind(isCluster: boolean): string | undefined {
  return isCluster ? 'Redis is a node of a cluster, and those are not served: give one server' : undefined;
}

/** Many servers do what is in their append-only file as the user `default`, and drop it where that may not (Redis issue 14541). */
function unfitByUser(user: RedisSettings['defaultUser']): string | undefined {
  if (user === undefined || (user.commands.startsWith('+@all') && user.keys.includes('~*'))) return undefined;
  return 'a restart of Redis may drop what it was given, since the user default may not do it: ACL SETUSER default off ~* &* +@all';
}
