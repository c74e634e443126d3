import { readTime } from "./log-scripts.js";
import { script } from "./redis.js";

/**
 * Writes a batch to the journal, numbers what is in it, and cuts what is too old. KEYS: journal, numbers, removed. ARGV: deadline, how
 * many exchanges and handshakes, how many exchanges and bytes are kept, the batch, the observations.
 * @returns the numbers of the first exchange and the first handshake; `late`
 */
export const publishScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return {'late'} end
local exchanges, handshakes = tonumber(ARGV[2]), tonumber(ARGV[3])
local newest = redis.call('HINCRBY', KEYS[2], 'exchanges', exchanges)
local newestHandshake = redis.call('HINCRBY', KEYS[2], 'handshakes', handshakes)
local size = #ARGV[6] + #ARGV[7]
local total = redis.call('HINCRBY', KEYS[2], 'bytes', size)
redis.call('XADD', KEYS[1], '*', 'e', newest - exchanges + 1, 'h', newestHandshake - handshakes + 1,
  'l', newest, 's', size, 'b', ARGV[6], 'o', ARGV[7])
while redis.call('XLEN', KEYS[1]) > 1 do
  local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
  if newest - tonumber(oldest[2][6]) < tonumber(ARGV[4]) and total <= tonumber(ARGV[5]) then break end
  redis.call('XDEL', KEYS[1], oldest[1])
  total = redis.call('HINCRBY', KEYS[2], 'bytes', -tonumber(oldest[2][8]))
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', oldest[2][6])
end
return {'ok', newest - exchanges + 1, newestHandshake - handshakes + 1}
`);
