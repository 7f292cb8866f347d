// A script of the server's, by what it says: sent once, and then by its hash. It may name keys that it was not given, of the
// same application alone: they are in one slot.
import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export function redisScript(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

/** `now`, in milliseconds of the server's clock. */
export const readsClock = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;
