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
 * Renews the lease of a replica. KEYS: log, leases, facts. ARGV: replica, duration in milliseconds (0: no renewal),
 * applied position.
 * @returns the time, the last position of the log, whether the applied position exists, how many replicas are alive,
 *   the facts
 */
export const renewScript = script(`${readTime}
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local head = last[1] and last[1][1] or '0-0'
local found = #redis.call('XRANGE', KEYS[1], ARGV[3], ARGV[3])
if found == 1 and tonumber(ARGV[2]) > 0 then
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
end
return {tostring(now), head, found, redis.call('ZCOUNT', KEYS[2], now, '+inf'), redis.call('GET', KEYS[3])}
`);

/**
 * Appends a command, for a replica that is alive and has applied the whole log. KEYS: log, leases. ARGV: replica,
 * deadline, applied position, command.
 * @returns `ok`, the position, and the replicas that are alive; or why not
 */
export const appendScript = script(`${readTime}
if now > tonumber(ARGV[2]) then return {'late'} end
local lease = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not lease or tonumber(lease) <= now then return {'lapsed'} end
if #redis.call('XRANGE', KEYS[1], ARGV[3], ARGV[3]) == 0 then return {'lost'} end
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local number = tonumber(last[1][2][2])
if not number then return {'foreign'} end
local position = redis.call('XADD', KEYS[1], '*', 'n', number + 1, 'c', ARGV[4])
return {'ok', position, unpack(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf'))}
`);

/** Which replicas are alive. KEYS: leases. */
export const liveScript = script(`${readTime}
return redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf')
`);

/**
 * Sends a question to the other replicas. KEYS: signals, leases. ARGV: the signal, how many are kept.
 * @returns the replicas that are alive
 */
export const askScript = script(`${readTime}
redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 's', ARGV[1])
return redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf')
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
