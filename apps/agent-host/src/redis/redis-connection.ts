// The host's connection to Redis. It fails a command at once while the server is away, and never sends one again by itself:
// whether it was done is its sender's to find out.
import { isIP } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { type Clock, type RedisAddress, StorageUnavailableError } from '#runtime';
import { forgetCommand, isTimeOut, withRedis } from './redis-fault.ts';
import { fitnessOf, RedisUnfitError } from './redis-fitness.ts';
import { checkKey } from './redis-keys.ts';
import type { RedisScript } from './redis-script.ts';

const patienceMs = 5_000;
const connectMs = 5_000;
/** So long may it take to load its data while this process starts. */
const startMs = 30_000;
const mostPauseMs = 1_000;
/** So long is kept what shows that anything is. */
const checkMs = 60_000;

export interface RedisOpening {
  readonly clock: Clock;
  /** Told what whoever runs it should know. */
  readonly report: (fault: unknown) => void;
  /** So long it may take to answer a command; five seconds unless given. */
  readonly answerMs?: number;
}

export class RedisConnection {
  private constructor(private readonly client: Redis) {}

  /**
   * Connects. Throws `StorageUnavailableError` where there is no Redis, and `RedisUnfitError` where it is configured to
   * lose what it is given.
   */
  static async open(address: RedisAddress, opening: RedisOpening): Promise<RedisConnection> {
    const client = await connect(address, opening);
    try {
      const connection = new RedisConnection(client);
      await connection.judge(opening.report);
      return connection;
    } catch (error) {
      client.disconnect();
      throw error;
    }
  }

  /** What it answers. Throws `StorageUnavailableError`. */
  async ask<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    return withRedis(
      work(this.client).catch((error: unknown) => {
        // Of a connection that no longer answers nobody else tells.
        if (isTimeOut(error)) this.client.disconnect(true);
        throw error;
      }),
    );
  }

  async run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const given = [keys.length, ...keys, ...args] as const;
    return this.ask(async (client) => {
      try {
        return await client.evalsha(script.sha, ...given);
      } catch (error) {
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
        return client.eval(script.lua, ...given);
      }
    });
  }

  /** Resolves while it takes what is written: one that has no memory, or is a replica now, answers all the same. */
  async check(): Promise<void> {
    await this.ask((client) => client.set(checkKey, '1', 'PX', checkMs));
  }

  close(): void {
    this.client.disconnect();
  }

  private async judge(report: (fault: unknown) => void): Promise<void> {
    const info = await this.ask((client) => client.info());
    // Where others run it, it may not be asked.
    const [save, user] = await Promise.all([
      this.asked('CONFIG', 'GET', 'save'),
      this.asked('ACL', 'GETUSER', 'default'),
    ]);
    const defaultUser = user && { commands: String(user['commands']), keys: String(user['keys']) };
    const { unfit, warnings } = fitnessOf({ info, save: save?.['save'] as string | undefined, defaultUser });
    for (const warning of warnings) report(warning);
    if (unfit !== undefined) throw new RedisUnfitError(unfit);
  }

  /** An answer of names and values; undefined where it is refused. */
  private async asked(command: string, ...words: readonly string[]): Promise<Record<string, unknown> | undefined> {
    const answer = await this.ask((client) => client.call(command, ...words)).catch((error: unknown) => {
      if (error instanceof StorageUnavailableError) throw error;
      return [];
    });
    const pairs = answer as unknown[];
    if (pairs.length === 0) return undefined;
    return Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[String(name), pairs[at + 1]]] : [])));
  }
}

/** Connected, and connected again where it is lost later. Throws `StorageUnavailableError`. */
export async function connect(address: RedisAddress, { clock, answerMs }: RedisOpening): Promise<Redis> {
  let isReady = false;
  let fault: unknown;
  const retryStrategy = (times: number): number | null => (isReady ? Math.min(50 * 2 ** times, mostPauseMs) : null);
  const client = new Redis({ ...optionsOf(address, answerMs ?? patienceMs), retryStrategy });
  client.on('error', (error) => {
    forgetCommand(error);
    fault = error;
  });
  const late = new AbortController();
  try {
    const isLate = clock.sleep(startMs, late.signal).then(() => {
      throw new Error(`it was not ready within ${startMs / 1_000} s`);
    });
    await withRedis(Promise.race([client.connect(), isLate]));
    // The client goes on in database 0 where it may not have the one that it was told.
    await withRedis(client.select(address.database));
    isReady = true;
    return client;
  } catch (error) {
    if (client.status !== 'end') client.disconnect();
    const { host, port } = address;
    throw new StorageUnavailableError(`Redis at ${host}:${port} cannot be reached`, { cause: fault ?? error });
  } finally {
    late.abort();
  }
}

function optionsOf(address: RedisAddress, answerMs: number): RedisOptions {
  const { host, port, isTls, username, password, database } = address;
  return {
    ...{ host, port, db: database, connectTimeout: connectMs, commandTimeout: answerMs, keepAlive: 10_000 },
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    ...{ lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, autoResendUnfulfilledCommands: false },
    // Its name may be another server's by now: the one that can be written to.
    reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
    connectionName: 'duewatch-host',
  };
}
