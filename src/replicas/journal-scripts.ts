import { day } from "../base/text/duration.js";
import { keys } from "./keys.js";
import { readTime, script } from "./redis.js";

/**
 * How long Redis remembers the newest batch of a replica, in milliseconds: longer than a replica is disconnected from
 * Redis.
 */
const batchKnownFor = 30 * day;

/**
 * A function that adds a batch to the journal, and numbers it and its records. Batches have no gaps: a reader that finds one
 * has missed what was dropped, and one that finds a number again has read what Redis has lost.
 * @returns the number of the newest exchange, and how many bytes were written so far
 */
export const addScript = `
local function add(exchanges, handshakes, text)
  local numbers = '${keys.numbers}'
  local batch = redis.call('HINCRBY', numbers, 'batches', 1)
  local newest = redis.call('HINCRBY', numbers, 'exchanges', exchanges)
  local newestHandshake = redis.call('HINCRBY', numbers, 'handshakes', handshakes)
  local bytes = redis.call('HINCRBY', numbers, 'bytes', #text)
  redis.call('XADD', '${keys.journal}', '*', 'n', batch, 'e', newest - exchanges + 1, 'h',
    newestHandshake - handshakes + 1, 'l', newest, 's', bytes, 'b', text)
  return newest, bytes
end
`;

/**
 * Writes a batch of exchanges and handshakes. One that is already written, because its reply was lost, is not written again.
 * KEYS: the last batch of the replica. ARGV: deadline, how many exchanges and handshakes, the batch, the number of the
 * batch at this replica.
 * @returns `ok`, the number of the newest exchange, and how many bytes were written so far; `known` if it is already
 *   written; `late`
 */
export const publishScript = script(`${readTime}${addScript}
if now > tonumber(ARGV[1]) then return {'late'} end
if tonumber(redis.call('GET', KEYS[1]) or 0) >= tonumber(ARGV[5]) then return {'known'} end
local newest, bytes = add(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4])
redis.call('SET', KEYS[1], ARGV[5], 'PX', ${batchKnownFor})
return {'ok', newest, bytes}
`);

/**
 * Saves the judges, and drops what the journal does not keep, unless another replica has done so that has read as much.
 * ARGV: deadline, the number of the newest batch that was read, the judges, the position of the oldest batch to keep.
 */
export const dropScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return 0 end
if tonumber(redis.call('HGET', '${keys.judged}', 'batch') or 0) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', '${keys.judged}', 'batch', ARGV[2], 'state', ARGV[3])
return redis.call('XTRIM', '${keys.journal}', 'MINID', ARGV[4])
`);
