// The host's connection to a Redis of a test's own, for the contracts of what is kept there.
import { systemClock } from '#runtime';
import { RedisServer } from '#testing';
import { HostRedis } from '../../../apps/agent-host/src/redis/host-redis.ts';

export interface OpenedRedis {
  readonly redis: HostRedis;
  /** The server ends, too. */
  close(): Promise<void>;
}

export async function openRedis(): Promise<OpenedRedis> {
  const server = await RedisServer.start();
  const redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  const close = async (): Promise<void> => {
    redis.close();
    await server.close();
  };
  return { redis, close };
}
