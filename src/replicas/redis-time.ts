/** For scripts: the time of Redis, in milliseconds since the epoch. It is the one clock that all replicas share. */
export const readTime = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
