import { script } from "./redis.js";

/** The time of Redis, in milliseconds since the epoch: the one clock that all replicas share. */
export const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Begins the log if the log or its facts are missing. KEYS: log, facts, snapshot. ARGV: the facts of this replica, as
 * JSON.
 * @returns the facts that are valid
 */
export const foundScript = script(`
if redis.call('EXISTS', KEYS[1], KEYS[2]) < 2 then
  redis.call('DEL', KEYS[1], KEYS[3])
  redis.call('SET', KEYS[2], ARGV[1])
  redis.call('XADD', KEYS[1], '*', 'n', 1, 'c', '{}')
end
return redis.call('GET', KEYS[2])
`);

/**
 * Reads the commands after a position, and notes that the replica is alive. KEYS: log, facts, alive. ARGV: position, how
 * many at most, the replica, for how long it counts as alive in milliseconds (0: not noted).
 * @returns the time, whether the position exists, the facts, how many replicas are alive, the entries
 */
export const catchUpScript = script(`${readTime}
if tonumber(ARGV[4]) > 0 then
  redis.call('ZADD', KEYS[3], now + ARGV[4], ARGV[3])
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
end
local entries = redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2] + 1)
local isThere = entries[1] and entries[1][1] == ARGV[1] and 1 or 0
if isThere == 1 then table.remove(entries, 1) end
return {tostring(now), isThere, redis.call('GET', KEYS[2]), redis.call('ZCARD', KEYS[3]), entries}
`);

/**
 * Appends a command. KEYS: log. ARGV: deadline, a position that must exist, command.
 * @returns `ok`, or why not
 */
export const appendScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return 'late' end
if #redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2]) == 0 then return 'lost' end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local number = tonumber(last[1][2][2])
if not number then return 'foreign' end
redis.call('XADD', KEYS[1], '*', 'n', number + 1, 'c', ARGV[3])
return 'ok'
`);

/**
 * Keeps a snapshot, and cuts the log well before it: other replicas may be some commands behind. KEYS: log, snapshot.
 * ARGV: position, snapshot, the first position that is kept.
 */
export const keepSnapshotScript = script(`
if #redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('XTRIM', KEYS[1], 'MINID', ARGV[3])
return 1
`);
