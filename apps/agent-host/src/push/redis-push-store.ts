// Push configs in Redis: each a hash. What there is to tell is in a set of its user's, by when, and each such user in one of the
// application's: whoever looks for what is due reads neither tasks of which nothing is to be told nor those of busy users.
import { TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { CredentialSeal } from '#runtime';
import type { HostRedis } from '../redis/host-redis.ts';
import { pushKeys, taskKey } from '../redis/redis-keys.ts';
import { readsClock, redisScript } from '../redis/redis-script.ts';
import type { RedisStep } from '../redis/redis-step.ts';
import type { TaskKey } from '../store/task-store.ts';
import type { PushConfigs } from './push-configs.ts';
import type { DuePush } from './push-store.ts';

// The first of the first user who is not busy; it is this caller's for so long.
const claimPush = redisScript(`${readsClock}
local users, prefix, busy = KEYS[1], ARGV[1], {}
for at = 3, #ARGV do busy[ARGV[at]] = true end
local due = redis.call('ZRANGEBYSCORE', users, '-inf', string.format('%d', now), 'LIMIT', 0, #ARGV - 1)
for _, user in ipairs(due) do
  if not busy[user] then
    local member = redis.call('ZRANGE', prefix .. user, 0, 0)[1]
    redis.call('ZADD', prefix .. user, string.format('%d', now + ARGV[2]), member)
    redis.call('ZADD', users, redis.call('ZRANGE', prefix .. user, 0, 0, 'WITHSCORES')[2], user)
    return {user, member}
  end
end
return false
`);

/** A config, as a member of what is due and of the configs of its task. */
interface Place {
  readonly key: TaskKey;
  readonly configId: string;
}

export class RedisPushStore implements PushConfigs {
  constructor(
    private readonly redis: HostRedis,
    /** Callers give credentials with what they ask to be told. */
    private readonly seal: CredentialSeal,
  ) {}

  set(key: TaskKey, config: TaskPushNotificationConfig, toldVersion: number, mostCount: number): Promise<boolean> {
    const place = { key, configId: config.id };
    const { config: configKey, ofTask, openOfTask } = pushKeys(key.application);
    return this.redis.inStep(async (step) => {
      const { version, pushes } = await step.read(taskKey(key), ['version', 'pushes']);
      const members = await this.redis.ask((client) => client.smembers(ofTask(key)));
      const others = members.filter((member) => member !== memberOf(place));
      if (version === null || others.length >= mostCount) return false;
      const hash = configKey(key, config.id);
      step.write('DEL', hash);
      step.write('HSET', hash, 'config', this.sealed(place, config), 'told', toldVersion, 'failures', 0);
      for (const set of [ofTask(key), openOfTask(key)]) step.write('SADD', set, memberOf(place));
      // Of two at once, one looks again how many there are.
      step.write('HSET', taskKey(key), 'pushes', Number(pushes) + 1);
      writeDue(step, place, Number(version) > toldVersion ? 0 : undefined);
      return true;
    });
  }

  async list(key: TaskKey): Promise<readonly TaskPushNotificationConfig[]> {
    const { config, ofTask } = pushKeys(key.application);
    const members = await this.redis.ask((client) => client.smembers(ofTask(key)));
    const ids = members.map(configIdOf).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const texts = await Promise.all(
      ids.map((id) => this.redis.ask((client) => client.hget(config(key, id), 'config'))),
    );
    return texts.flatMap((text, at) =>
      text === null ? [] : [this.open({ key, configId: ids[at] ?? '', ...read(text) })],
    );
  }

  open({ key, configId, sealed }: Pick<DuePush, 'key' | 'configId' | 'sealed'>): TaskPushNotificationConfig {
    return TaskPushNotificationConfig.fromJSON(JSON.parse(this.seal.open(sealed, ownerOf({ key, configId }))));
  }

  delete(key: TaskKey, configId: string): Promise<void> {
    const { config, ofTask, openOfTask } = pushKeys(key.application);
    return this.redis.inStep(async (step) => {
      step.write('DEL', config(key, configId));
      for (const set of [ofTask(key), openOfTask(key)]) step.write('SREM', set, memberOf({ key, configId }));
      writeDue(step, { key, configId }, undefined);
    });
  }

  async claim(application: string, claimMs: number, busyUsers: readonly string[]): Promise<DuePush | undefined> {
    const { config, duePrefix, users } = pushKeys(application);
    const claimed = await this.redis.run(claimPush, [users], [duePrefix, claimMs, ...busyUsers]);
    if (claimed === null) return undefined;
    const [user, member] = claimed as [string, string];
    const [taskId, configId] = JSON.parse(member) as [string, string];
    const key = { application, user, taskId };
    const [[text, told, failures], contextId] = await this.redis.ask((client) =>
      Promise.all([
        client.hmget(config(key, configId), 'config', 'told', 'failures'),
        client.hget(taskKey(key), 'context'),
      ]),
    );
    // Deleted since.
    if (text == null || contextId === null) return undefined;
    return {
      ...{ key, contextId, configId, ...read(text) },
      ...{ toldVersion: Number(told), failuresCount: Number(failures) },
    };
  }

  told({ key, configId }: DuePush, version: number, claimMs: number, isLast: boolean): Promise<void> {
    return this.change({ key, configId }, async (step, hash, kept) => {
      if (Number(kept.told) > version) return;
      const task = await step.read(taskKey(key), ['version']);
      step.write('HSET', hash, 'told', version, 'failures', 0);
      if (isLast) writeDone(step, { key, configId });
      const isMore = !isLast && (claimMs > 0 || Number(task.version) > version);
      writeDue(step, { key, configId }, isMore ? claimMs : undefined);
    });
  }

  failed({ key, configId }: DuePush, delayMs: number | undefined): Promise<void> {
    return this.change({ key, configId }, async (step, hash, kept) => {
      step.write('HSET', hash, 'failures', Number(kept.failures) + 1);
      if (delayMs === undefined) writeDone(step, { key, configId });
      writeDue(step, { key, configId }, delayMs);
    });
  }

  /** What is there; nothing where it was deleted meanwhile. */
  private change(
    { key, configId }: Place,
    work: (step: RedisStep, hash: string, kept: { told: string | null; failures: string | null }) => Promise<void>,
  ): Promise<void> {
    const hash = pushKeys(key.application).config(key, configId);
    return this.redis.inStep(async (step) => {
      const kept = await step.read(hash, ['told', 'failures']);
      if (kept.told !== null) await work(step, hash, kept);
    });
  }

  private sealed(place: Place, config: TaskPushNotificationConfig): string {
    const text = JSON.stringify(TaskPushNotificationConfig.toJSON(config));
    return this.seal.seal(text, ownerOf(place)).toString('base64');
  }
}

function read(text: string): Pick<DuePush, 'sealed'> {
  return { sealed: Buffer.from(text, 'base64') };
}

/** To be told in so many milliseconds; not at all, until something happens to the task, where that is absent. */
function writeDue(step: RedisStep, place: Place, inMs: number | undefined): void {
  const { duePrefix, users } = pushKeys(place.key.application);
  step.write('moveDue', users, duePrefix, place.key.user, memberOf(place), ...(inMs === undefined ? [] : [inMs]));
}

/** Nothing more is told of it. */
function writeDone(step: RedisStep, place: Place): void {
  step.write('SREM', pushKeys(place.key.application).openOfTask(place.key), memberOf(place));
}

function memberOf({ key, configId }: Place): string {
  return JSON.stringify([key.taskId, configId]);
}

function configIdOf(member: string): string {
  return (JSON.parse(member) as [string, string])[1];
}

function ownerOf({ key: { application, user, taskId }, configId }: Place): string {
  return JSON.stringify([application, user, taskId, configId]);
}
