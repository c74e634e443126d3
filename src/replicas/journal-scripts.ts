import { day } from "../base/text/duration.js";
import { script } from "./redis.js";
import { readTime } from "./redis-time.js";

/**
 * How long Redis remembers the newest batch of a replica, in milliseconds: longer than a replica is disconnected from
 * Redis.
 */
const batchKnownFor = 30 * day;

/** How many exchanges more the journal has, at most, while a running replica has not judged the oldest ones. */
export const mostUnjudged = 10_000;

/**
 * Writes a batch to the journal, numbers its records, and cuts old batches. A batch that is already written, because
 * its reply was lost, is not written again. A batch that a running replica has not judged is not cut, unless the
 * journal would have ten thousand exchanges too many, or twice the bytes. KEYS: journal, numbers, the last
 * batch of the replica, alive, judged. ARGV: deadline, how many exchanges and handshakes, how many exchanges and bytes
 * are kept, the batch, the number of the batch at this replica.
 * @returns the position of the batch, and the numbers of the first exchange and the first handshake; `late`
 */
export const publishScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return {'late'} end
local last = redis.call('HMGET', KEYS[3], 'number', 'position', 'exchange', 'handshake')
if last[1] and tonumber(last[1]) >= tonumber(ARGV[7]) then return {'ok', last[2], tonumber(last[3]), tonumber(last[4])} end
local function isBefore(one, other)
  local a, b = string.match(one, '^(%d+)-(%d+)$')
  local c, d = string.match(other, '^(%d+)-(%d+)$')
  if not a or not c then return false end
  a, b, c, d = tonumber(a), tonumber(b), tonumber(c), tonumber(d)
  return a < c or (a == c and b < d)
end
local judged
local replicas = redis.call('HGETALL', KEYS[5])
for place = 1, #replicas, 2 do
  local aliveUntil = tonumber(redis.call('ZSCORE', KEYS[4], replicas[place]) or 0)
  if aliveUntil <= now then redis.call('HDEL', KEYS[5], replicas[place])
  elseif not judged or isBefore(replicas[place + 1], judged) then judged = replicas[place + 1] end
end
local exchanges, handshakes = tonumber(ARGV[2]), tonumber(ARGV[3])
local newest = redis.call('HINCRBY', KEYS[2], 'exchanges', exchanges)
local newestHandshake = redis.call('HINCRBY', KEYS[2], 'handshakes', handshakes)
local size = #ARGV[6]
local total = redis.call('HINCRBY', KEYS[2], 'bytes', size)
local first, firstHandshake = newest - exchanges + 1, newestHandshake - handshakes + 1
local position = redis.call('XADD', KEYS[1], '*', 'e', first, 'h', firstHandshake, 'l', newest, 's', size, 'b', ARGV[6])
while redis.call('XLEN', KEYS[1]) > 1 do
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  local last, itsSize = tonumber(oldest[2][6]), tonumber(oldest[2][8])
  local kept, bytes = tonumber(ARGV[4]), tonumber(ARGV[5])
  if last and judged and isBefore(judged, oldest[1]) then kept, bytes = kept + ${mostUnjudged}, bytes * 2 end
  if last and newest - last < kept and total <= bytes then break end
  redis.call('XDEL', KEYS[1], oldest[1])
  -- No replica wrote an entry without these.
  if last and itsSize then
    total = redis.call('HINCRBY', KEYS[2], 'bytes', -itsSize)
  end
end
redis.call('HSET', KEYS[3], 'number', ARGV[7], 'position', position, 'exchange', first, 'handshake', firstHandshake)
redis.call('PEXPIRE', KEYS[3], ${batchKnownFor})
return {'ok', position, first, firstHandshake}
`);
