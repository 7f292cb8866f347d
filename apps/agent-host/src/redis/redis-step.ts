// One step: what is read in it must still be so when what it writes is written, all or nothing. Where it is not, the step is
// done again. So whatever is decided is decided in TypeScript, and the server compares and writes, nothing else.
import { nameOf } from '../store/task-signals.ts';
import type { TaskKey } from '../store/task-store.ts';
import { named } from './named-values.ts';
import type { RedisConnection } from './redis-connection.ts';
import { tasksChannel } from './redis-keys.ts';
import { readsClock, redisScript } from './redis-script.ts';

/** What the server takes in one command, with room to spare. */
const mostArguments = 1_000;

// Guards, each `key field isThere value`, then writes, each its length and what it says. Beside Redis's own commands:
// `hsetAt key field ms [set member]`: the instant so many milliseconds from now, as a field and as a place.
// `moveDue users prefix user member [ms]`: a push is due then, or not at all.
// `markDue users prefix user open`: all pushes of a task are due now, but for those that wait for something else.
const writeStep = redisScript(`${readsClock}
local at = 1
local function take()
  at = at + 1
  return ARGV[at - 1]
end
local function instantIn(ms) return string.format('%d', now + ms) end
local function settle(users, due, user)
  local first = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', users, first[2], user) else redis.call('ZREM', users, user) end
end
for _ = 1, tonumber(take()) do
  local key, field, isThere, value = take(), take(), take(), take()
  local found = redis.call('HGET', key, field)
  if isThere == '1' and found ~= value or isThere == '0' and found then return 0 end
end
while at <= #ARGV do
  local size = tonumber(take())
  local name, key, a, b, c, d = unpack(ARGV, at, at + math.min(size, 6) - 1)
  if name == 'hsetAt' then
    redis.call('HSET', key, a, instantIn(b))
    if c then redis.call('ZADD', c, instantIn(b), d) end
  elseif name == 'moveDue' then
    if d then redis.call('ZADD', a .. b, instantIn(d), c) else redis.call('ZREM', a .. b, c) end
    settle(key, a .. b, b)
  elseif name == 'markDue' then
    local members = redis.call('SMEMBERS', c)
    for _, member in ipairs(members) do redis.call('ZADD', a .. b, 'NX', instantIn(0), member) end
    if #members > 0 then settle(key, a .. b, b) end
  else
    redis.call(unpack(ARGV, at, at + size - 1))
  end
  at = at + size
end
return 1
`);

export class RedisStep {
  private readonly keys = new Set<string>();
  private readonly guards: string[] = [];
  private readonly writes: string[] = [];
  private readonly told: TaskKey[] = [];

  constructor(private readonly connection: RedisConnection) {}

  /** The fields of a hash, null where there is none; they must still be so when the step is written. */
  async read<Field extends string>(key: string, fields: readonly Field[]): Promise<Record<Field, string | null>> {
    const values = await this.look(key, fields);
    for (const field of fields) this.guard(key, field, values[field]);
    return values;
  }

  /** The same, whatever becomes of them. */
  async look<Field extends string>(key: string, fields: readonly Field[]): Promise<Record<Field, string | null>> {
    const values = await this.connection.ask((client) => client.hmget(key, ...fields));
    return named(fields, values);
  }

  guard(key: string, field: string, value: string | null): void {
    this.keys.add(key);
    this.guards.push(key, field, value === null ? '0' : '1', value ?? '');
  }

  /** A command of Redis's, its key first. */
  write(command: string, key: string, ...args: readonly (string | number)[]): void {
    this.keys.add(key);
    this.writes.push(String(args.length + 2), command, key, ...args.map(String));
  }

  append(key: string, texts: readonly string[]): void {
    for (let at = 0; at < texts.length; at += mostArguments) {
      this.write('RPUSH', key, ...texts.slice(at, at + mostArguments));
    }
  }

  /**
   * The instant so many milliseconds from now, by the server's clock: as a field of a hash, and, where that is named, as the
   * place of a member of a set.
   */
  writeInstant(key: string, field: string, inMs: number, set?: string, member = ''): void {
    this.write('hsetAt', key, field, inMs, ...(set === undefined ? [] : [set, member]));
  }

  /** Whoever follows the task is told once it is written. */
  tell(key: TaskKey): void {
    this.told.push(key);
  }

  /** Whom to wake; undefined where something is not as it was read, and nothing is written. */
  async commit(): Promise<readonly TaskKey[] | undefined> {
    if (this.writes.length === 0) return [];
    const told = this.told.flatMap((key) => ['3', 'PUBLISH', tasksChannel, nameOf(key)]);
    const guardsCount = String(this.guards.length / 4);
    const written = await this.connection.run(
      writeStep,
      [...this.keys],
      [guardsCount, ...this.guards, ...this.writes, ...told],
    );
    return written === 1 ? this.told : undefined;
  }
}
