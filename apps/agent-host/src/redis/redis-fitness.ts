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
}

export interface Fitness {
  /** Why it is not used; undefined where it is. */
  readonly unfit?: string;
  /** What whoever runs it should know. */
  readonly warnings: readonly string[];
}

export function fitnessOf({ info, save }: RedisSettings): Fitness {
  const said = new Map(Array.from(info.matchAll(/^(\w+):(.*?)\r?$/gm), ([, name, value]) => [name, value] as const));
  const policy = said.get('maxmemory_policy') ?? 'noeviction';
  const warnings: string[] = [];
  if (said.get('role') === 'slave') {
    warnings.push('Redis is a replica: nothing can be written until it is the primary');
  }
  if (said.get('aof_enabled') === '0') {
    warnings.push(
      save === ''
        ? 'Redis keeps nothing on disk (no appendonly, no save): a restart of it loses all that it was given'
        : 'Redis keeps snapshots alone (no appendonly): a restart of it may lose what came after the last',
    );
  }
  return { ...unfitBy(policy, said.get('cluster_enabled') === '1'), warnings };
}

function unfitBy(policy: string, isCluster: boolean): Pick<Fitness, 'unfit'> {
  // No key has a time to live, so that the volatile policies let go of none.
  if (policy.startsWith('allkeys')) {
    return { unfit: `Redis lets go of any key when its memory is full (maxmemory-policy ${policy}): set noeviction` };
  }
  return isCluster ? { unfit: 'Redis is a node of a cluster, and those are not served: give one server' } : {};
}
