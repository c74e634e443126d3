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
 * @returns the numbers of the newest exchange and handshake, and how many bytes were written so far
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
  return newest, newestHandshake, bytes
end
`;

/**
 * A function that drops what the journal does not keep: older than so many requests, or so many bytes. It looks at
 * batches from the oldest on, some at a time.
 */
const dropScript = `
local function drop(newest, bytes, requests, most)
  local from = '-'
  while true do
    local batches = redis.call('XRANGE', '${keys.journal}', from, '+', 'COUNT', 50)
    if #batches == 0 then return end
    for _, batch in ipairs(batches) do
      local last, upTo = tonumber(batch[2][8]), tonumber(batch[2][10])
      if last and upTo and newest - last < requests and bytes - upTo <= most then
        redis.call('XTRIM', '${keys.journal}', 'MINID', batch[1])
        return
      end
    end
    from = '(' .. batches[#batches][1]
  end
end
`;

/**
 * Writes a batch of exchanges and handshakes. One that is already written, because its reply was lost, is not written again.
 * Whenever a quarter of what the journal keeps was added, drops what it does not keep. KEYS: the last batch of the replica.
 * ARGV: deadline, how many exchanges and handshakes, the batch, the number of the batch at this replica, how many requests
 * and bytes the journal keeps.
 * @returns `ok`, and the numbers of its last exchange and handshake; `late`
 */
export const publishScript = script(`${readTime}${addScript}${dropScript}
if now > tonumber(ARGV[1]) then return {'late'} end
local known = redis.call('HMGET', KEYS[1], 'batch', 'exchange', 'handshake')
if tonumber(known[1] or 0) >= tonumber(ARGV[5]) then return {'ok', tonumber(known[2]), tonumber(known[3])} end
local newest, newestHandshake, bytes = add(tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4])
redis.call('HSET', KEYS[1], 'batch', ARGV[5], 'exchange', newest, 'handshake', newestHandshake)
redis.call('PEXPIRE', KEYS[1], ${batchKnownFor})
local requests, most = tonumber(ARGV[6]), tonumber(ARGV[7])
local function fills(upTo, size, part) return math.floor(upTo / part) > math.floor((upTo - size) / part) end
if fills(newest, ARGV[2], requests / 4) or fills(bytes, #ARGV[4], most / 4) then drop(newest, bytes, requests, most) end
return {'ok', newest, newestHandshake}
`);
