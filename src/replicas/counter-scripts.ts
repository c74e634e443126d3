import { readTime, script } from "./redis.js";

/**
 * Finds the rule that acts on a request, as `scenarios/match.ts` does, and counts. KEYS: the client's counters, those
 * of all clients. ARGV: deadline, how long counters are kept after their last use in milliseconds, the request and its
 * rules as JSON.
 * @returns `act`, the place of the rule and its count; `none`; `late`; or `draw`, a place and a count, if more draws
 *   are needed
 */
export const decideScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return {'late'} end
local request = cjson.decode(ARGV[3])
local start = tonumber(redis.call('HGET', KEYS[1], 'start') or request.start)
if request.now < start then start = request.now end
local writes = {{KEYS[1], 'start', string.format('%.0f', start)}}
local attempt = 0
if request.operation then
  local last = redis.call('HMGET', KEYS[1], 'digest:' .. request.operation, 'attempt:' .. request.operation)
  attempt = last[1] == request.digest and tonumber(last[2]) + 1 or 1
  writes[2] = {KEYS[1], 'digest:' .. request.operation, request.digest}
  writes[3] = {KEYS[1], 'attempt:' .. request.operation, attempt}
end
local elapsed = request.now - start
local decision = {'none'}
local totals = {}
for place, rule in ipairs(request.rules) do
  local isCurrent = (rule.attempt == nil or rule.attempt == attempt) and elapsed >= rule.after
    and (rule['until'] == nil or elapsed < rule['until'])
  local key = rule.shares and KEYS[2] or KEYS[1]
  local known = isCurrent and redis.call('HMGET', key, 'matched:' .. rule.name, 'made:' .. rule.name, 'begun:' .. rule.name)
  if known and (rule.begins == nil or rule.begins or known[3]) then
    if rule.begins then writes[#writes + 1] = {key, 'begun:' .. rule.name, 1} end
    local matched, made = tonumber(known[1] or 0) + 1, tonumber(known[2] or 0)
    writes[#writes + 1] = {key, 'matched:' .. rule.name, matched}
    if not rule.shares then totals[#totals + 1] = 'matched:' .. rule.name end
    local passed = matched - rule.skip
    if passed >= 1 and passed % rule.every == 0 and (rule.limit == nil or made < rule.limit) then
      local isDue = true
      if rule.draws then
        local at = matched - rule.from + 1
        if at < 1 or at > #rule.draws then return {'draw', place, matched} end
        isDue = string.sub(rule.draws, at, at) == '1'
      end
      if isDue then
        writes[#writes + 1] = {key, 'made:' .. rule.name, made + 1}
        if not rule.shares then totals[#totals + 1] = 'made:' .. rule.name end
        decision = {'act', place, matched}
        break
      end
    end
  end
end
for _, write in ipairs(writes) do
  redis.call('HSET', write[1], write[2], write[3])
  redis.call('PEXPIRE', write[1], ARGV[2])
end
for _, field in ipairs(totals) do redis.call('HINCRBY', KEYS[2], field, 1) end
if #totals > 0 then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return decision
`);

/** Counts a request on which a rule acts without asking for its counters. KEYS: counters. ARGV: how long they are kept, rule. */
export const noteScript = script(`
for _, key in ipairs(KEYS) do
  redis.call('HINCRBY', key, 'matched:' .. ARGV[2], 1)
  redis.call('HINCRBY', key, 'made:' .. ARGV[2], 1)
  redis.call('PEXPIRE', key, ARGV[1])
end
return 0
`);

/** Gives back a fault that did not act. KEYS: counters. ARGV: rule. */
export const giveBackScript = script(`
for _, key in ipairs(KEYS) do
  if redis.call('HEXISTS', key, 'made:' .. ARGV[1]) == 1 then redis.call('HINCRBY', key, 'made:' .. ARGV[1], -1) end
end
return 0
`);

/**
 * Takes a request from a bucket, as `RuleCounters.take` does. KEYS: counters. ARGV: deadline, how long they are kept,
 * rule, the present time, the size of the bucket, and the milliseconds in which it fills.
 * @returns the milliseconds to wait; `late`
 */
export const takeScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return 'late' end
local present, limit, per = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local known = redis.call('HMGET', KEYS[1], 'tokens:' .. ARGV[3], 'filled:' .. ARGV[3])
local tokens = limit
-- The clocks of two machines differ a little: a bucket is not filled for the same time twice.
local filled = tonumber(known[2] or present)
if present < filled and filled - present < 1000 then present = filled end
if known[2] then
  tokens = math.min(limit, tonumber(known[1]) + math.max(0, present - filled) * limit / per)
end
local wait = 0
if tokens >= 1 - 1e-9 then tokens = math.max(0, tokens - 1) else wait = (1 - tokens) * per / limit end
redis.call('HSET', KEYS[1], 'tokens:' .. ARGV[3], string.format('%.17g', tokens), 'filled:' .. ARGV[3],
  string.format('%.17g', present))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return string.format('%.17g', wait)
`);

/**
 * Sets how many requests of a replica are open, and decides whether there is room for the newest. KEYS: open requests
 * by replica, alive. ARGV: deadline, how long they are kept, replica, how many it has open with this one, limit.
 * Replicas that are not alive do not count.
 * @returns 1 if there is room, otherwise 0; `late`
 */
export const enterScript = script(`${readTime}
if now > tonumber(ARGV[1]) then return 'late' end
local sum, own = 0, tonumber(ARGV[4])
local known = redis.call('HGETALL', KEYS[1])
for index = 1, #known, 2 do
  if known[index] ~= ARGV[3] then
    local aliveUntil = redis.call('ZSCORE', KEYS[2], known[index])
    if aliveUntil and tonumber(aliveUntil) > now then sum = sum + tonumber(known[index + 1])
    else redis.call('HDEL', KEYS[1], known[index]) end
  end
end
local fits = sum + own <= tonumber(ARGV[5])
redis.call('HSET', KEYS[1], ARGV[3], fits and own or own - 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return fits and 1 or 0
`);
