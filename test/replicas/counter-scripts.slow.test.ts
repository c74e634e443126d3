import { expect, it } from "vitest";
import { takeScript } from "../../src/replicas/counter-scripts.js";
import { hasRedis, RedisServer } from "./redis-server.js";

it.skipIf(!hasRedis)(
  "a bucket is not refilled twice for the same time by machines with slightly different clocks",
  async () => {
    const redis = await (await RedisServer.start()).connect();
    const begun = 1_700_000_000_000;
    /**
     * 400 requests in two seconds, alternating between two machines, one of which is late.
     * @returns how many are accepted
     */
    const accepted = async (limit: number, late: number) => {
      const waits: number[] = [];
      for (let sent = 0; sent < 400; sent++) {
        const now = begun + 5 * sent - (sent % 2 === 0 ? 0 : late);
        const args = [9e15, 60_000, "rule", now, limit, 1000].map(String);
        waits.push(Number(await redis.sendCommand(["EVAL", takeScript.text, "1", `bucket ${limit} ${late}`, ...args])));
      }
      return waits.filter((wait) => wait === 0).length;
    };
    for (const [limit, late] of [
      [10, 0],
      [10, 20],
      [10, 100],
      [100, 10],
    ] as const) {
      // The capacity, and the refill of two seconds.
      expect(await accepted(limit, late)).toBeLessThanOrEqual(3 * limit);
      expect(await accepted(limit, late)).toBeGreaterThan(limit);
    }
    redis.destroy();
  },
);
