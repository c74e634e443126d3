import { day } from "../base/text/duration.js";
import { script } from "./redis.js";
import { readTime } from "./redis-time.js";

/**
 * How long Redis remembers the newest batch of a replica, in milliseconds: longer than a replica is disconnected from
 * Redis.
 */
const batchKnownFor = 30 * day;

/**
 * Writes a batch to the journal, and numbers its records. A batch that is already written, because its reply was lost, is
 * not written again. KEYS: journal, numbers, the last batch of the replica. ARGV: deadline, how many exchanges and
 * handshakes, the batch, the number of the batch at this replica.
 * @returns `ok`, the number of the first exchange, and how many bytes were written so far; `late`
 */
export const publishScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return {'late'} end
local last = redis.call('HMGET', KEYS[3], 'number', 'exchange', 'bytes')
if last[1] and tonumber(last[1]) >= tonumber(ARGV[5]) then return {'ok', tonumber(last[2]), tonumber(last[3])} end
local newest = redis.call('HINCRBY', KEYS[2], 'exchanges', ARGV[2])
local newestHandshake = redis.call('HINCRBY', KEYS[2], 'handshakes', ARGV[3])
local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[4])
local first, firstHandshake = newest - ARGV[2] + 1, newestHandshake - ARGV[3] + 1
redis.call('XADD', KEYS[1], '*', 'e', first, 'h', firstHandshake, 'l', newest, 's', bytes, 'b', ARGV[4])
redis.call('HSET', KEYS[3], 'number', ARGV[5], 'exchange', first, 'bytes', bytes)
redis.call('PEXPIRE', KEYS[3], ${batchKnownFor})
return {'ok', first, bytes}
`);
