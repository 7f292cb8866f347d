// ListTasks in Redis: of the set of all that is asked for a page, by status, the latest first, from after the last task of
// the page before. The set is in this order as it is; no task is read that is not on the page.
import type { HostRedis } from '../redis/host-redis.ts';
import { eventsPrefix, listKey, tasksPrefix } from '../redis/redis-keys.ts';
import { redisScript } from '../redis/redis-script.ts';
import { toTask } from './redis-task-row.ts';
import { mostPageBytes, type TaskPage, type TaskQuery, type TaskScope } from './task-store.ts';

// Ids are compared by their bytes, as the server orders them: Lua's own order is that of a place and a language.
const listPage = redisScript(`
local list = KEYS[1]
local tasks, events, from, size, mostBytes = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local afterMs, afterId = ARGV[6], ARGV[7]
local function isBelow(a, b)
  for at = 1, math.min(#a, #b) do
    if a:byte(at) ~= b:byte(at) then return a:byte(at) < b:byte(at) end
  end
  return #a < #b
end
local found, skipped = {}, 0
repeat
  local some = redis.call('ZREVRANGEBYSCORE', list, afterMs or '+inf', from, 'WITHSCORES', 'LIMIT', skipped, size + 1)
  for at = 1, #some, 2 do
    local id, ms = some[at], some[at + 1]
    if not afterMs or tonumber(ms) < tonumber(afterMs) or isBelow(id, afterId) then found[#found + 1] = {id, ms} end
  end
  skipped = skipped + size + 1
until #found > size or #some == 0
local page, bytes = {}, 0
for at = 1, math.min(size, #found) do
  if bytes >= mostBytes then break end
  local id, ms = found[at][1], found[at][2]
  local kept = redis.call('HMGET', tasks .. id, 'context', 'snapshot', 'snapshotVersion')
  page[at] = {id, ms, kept[1], kept[2], redis.call('LRANGE', events .. id, kept[3], -1)}
  bytes = bytes + #kept[2]
end
return {redis.call('ZCOUNT', list, from, '+inf'), #found, page}
`);

type ListedRow = readonly [taskId: string, statusMs: string, contextId: string, snapshot: string, tail: string[]];

export async function listTasks(redis: HostRedis, scope: TaskScope, query: TaskQuery): Promise<TaskPage> {
  const { contextId, state, statusFromMs, pageSize, after } = query;
  const [totalCount, foundCount, rows] = (await redis.run(
    listPage,
    [listKey(scope, contextId, state)],
    [
      ...[tasksPrefix(scope), eventsPrefix(scope), statusFromMs ?? '-inf', pageSize, mostPageBytes],
      ...(after === undefined ? [] : [after.statusMs, after.taskId]),
    ],
  )) as [number, number, ListedRow[]];
  const last = foundCount > rows.length ? rows.at(-1) : undefined;
  return {
    tasks: rows.map(([taskId, , context, snapshot, tail]) => toTask({ taskId, contextId: context }, snapshot, tail)),
    totalCount,
    ...(last && { next: { statusMs: Number(last[1]), taskId: last[0] } }),
  };
}
