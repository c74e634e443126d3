import { addScript } from "./journal-scripts.js";
import { keys } from "./keys.js";
import { readTime, script } from "./redis.js";

/** The keys of the records. They are a part of the scripts: a call for each request is then shorter. */
const names = `
local head, heads, changes = '${keys.head}', '${keys.heads}', '${keys.changes}'
local records, removed, alive, facts = '${keys.records}', '${keys.removed}', '${keys.alive}', '${keys.facts}'
`;

/** A replica that is more writes behind than this reads everything again, so removed records need not be kept longer. */
const mostBehind = 10_000;

/**
 * Begins with no records if the facts or the head are missing. ARGV: the facts of this replica, as JSON; the first head.
 * @returns the facts that are valid
 */
export const foundScript = script(`${names}
if redis.call('EXISTS', head, facts) < 2 then
  redis.call('DEL', head, heads, changes, records, removed)
  redis.call('SET', facts, ARGV[1])
  redis.call('SET', head, ARGV[2])
  redis.call('ZADD', heads, 0, ARGV[2])
end
return redis.call('GET', facts)
`);

/**
 * Reads the records that were changed after a version, in the order of their changes, and notes that the replica is
 * alive. ARGV: the head that the replica has, or nothing; the version up to which it has read; how many records at
 * most; the replica; for how long it counts as alive in milliseconds (0: not noted).
 * @returns the time, how many replicas are alive, the head, then `same`, or `anew` if the replica must begin again, or
 *   `changed` with the last version that was read, and for each record its name and its text (empty if it was removed)
 */
export const readScript = script(`${names}${readTime}
if tonumber(ARGV[5]) > 0 then
  redis.call('ZADD', alive, now + ARGV[5], ARGV[4])
  redis.call('ZREMRANGEBYSCORE', alive, '-inf', now)
end
local newest = redis.call('GET', head) or ''
local reply = {tostring(now), redis.call('ZCARD', alive), newest}
if newest == ARGV[1] and tonumber(string.match(newest, '^%d+') or 0) <= tonumber(ARGV[2]) then reply[4] = 'same' return reply end
if newest == '' or (ARGV[1] ~= '' and not redis.call('ZSCORE', heads, ARGV[1])) then reply[4] = 'anew' return reply end
local changed = redis.call('ZRANGEBYSCORE', changes, '(' .. ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[3])
reply[4], reply[5] = 'changed', changed[#changed] or ARGV[2]
for place = 1, #changed, 2 do
  reply[#reply + 1] = changed[place]
  reply[#reply + 1] = redis.call('HGET', records, changed[place]) or ''
end
return reply
`);

/**
 * Writes records, if nobody has written any since they were made, and what was done to the journal at the same time. ARGV:
 * deadline, the head from which they were made, a new name for the state, the marks for the journal as JSON or nothing, then
 * for each record its name, its text, and 1 if it is removed, otherwise 0.
 * @returns `ok` with the new head, or `late`, or `changed`
 */
export const writeScript = script(`${names}${readTime}${addScript}
if now > tonumber(ARGV[1]) then return {'late'} end
if redis.call('GET', head) ~= ARGV[2] then return {'changed'} end
local version = tonumber(string.match(ARGV[2], '^(%d+) '))
if ARGV[4] ~= '' then
  add(0, 0, ARGV[4])
  version = version + 1
end
for place = 5, #ARGV, 3 do
  local name, text = ARGV[place], ARGV[place + 1]
  version = version + 1
  redis.call('ZADD', changes, version, name)
  if text == '' then redis.call('HDEL', records, name) else redis.call('HSET', records, name, text) end
  if ARGV[place + 2] == '1' then redis.call('ZADD', removed, version, name) else redis.call('ZREM', removed, name) end
end
local newest = string.format('%.0f ', version) .. ARGV[3]
redis.call('SET', head, newest)
redis.call('ZADD', heads, version, newest)
redis.call('ZREMRANGEBYRANK', heads, 0, -${mostBehind + 1})
local bound = redis.call('ZRANGE', heads, 0, 0, 'WITHSCORES')[2]
for _, name in ipairs(redis.call('ZRANGEBYSCORE', removed, '-inf', bound, 'LIMIT', 0, 1000)) do
  redis.call('ZREM', removed, name)
  redis.call('ZREM', changes, name)
  redis.call('HDEL', records, name)
end
return {'ok', newest}
`);
