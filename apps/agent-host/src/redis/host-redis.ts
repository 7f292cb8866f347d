// The Redis of the agent host: what its stores share. Commands go over one connection; that something has happened to a task
// comes over another, as a hint alone: whoever follows a task looks each second in any case.
import type { Redis } from 'ioredis';
import { type RedisAddress, StorageUnavailableError } from '#runtime';
import { TaskSignals } from '../store/task-signals.ts';
import type { TaskKey, TaskWatch } from '../store/task-store.ts';
import { connect, RedisConnection, type RedisOpening } from './redis-connection.ts';
import { withRedis } from './redis-fault.ts';
import { tasksChannel } from './redis-keys.ts';
import type { RedisScript } from './redis-script.ts';
import { RedisStep } from './redis-step.ts';

/** Of those who step on each other each time one gets through; so many cannot be before this one. */
const mostTries = 1_000;

export class HostRedis {
  private constructor(
    private readonly connection: RedisConnection,
    private readonly listening: Redis,
    private readonly signals: TaskSignals,
  ) {}

  /** Throws `StorageUnavailableError`, `RedisUnfitError`. */
  static async open(address: RedisAddress, opening: RedisOpening): Promise<HostRedis> {
    const connection = await RedisConnection.open(address, opening);
    try {
      const listening = await connect(address, opening);
      const signals = new TaskSignals(opening.clock);
      listening.on('message', (_channel: string, name: string) => signals.tellName(name));
      await withRedis(listening.subscribe(tasksChannel)).catch((error: unknown) => {
        listening.disconnect();
        throw error;
      });
      return new HostRedis(connection, listening, signals);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Does the work until nothing of what it has read is changed before what it writes is written. */
  async inStep<T>(work: (step: RedisStep) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const step = new RedisStep(this.connection);
      const answer = await work(step);
      const told = await step.commit();
      if (told === undefined) continue;
      for (const key of told) this.signals.tell(key);
      return answer;
    }
    throw new StorageUnavailableError(`others were first, ${mostTries} times`);
  }

  /** Milliseconds of the server's clock. */
  async now(): Promise<number> {
    const [seconds, microseconds] = await this.connection.ask((client) => client.time());
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }

  ask<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    return this.connection.ask(work);
  }

  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.connection.run(script, keys, args);
  }

  watch(key: TaskKey): TaskWatch {
    return this.signals.watch(key);
  }

  check(): Promise<void> {
    return this.connection.check();
  }

  close(): void {
    this.listening.disconnect();
    this.connection.close();
  }
}
