import { expect, it } from "vitest";
import { takeScript } from "../../src/shared/counter-scripts.js";
import { hasRedis, RedisServer } from "./redis-server.js";

it.skipIf(!hasRedis)(
  "a bucket is not filled twice for the same time by machines whose clocks differ a little",
  async () => {
    const redis = await (await RedisServer.start()).connect();
    const begun = 1_700_000_000_000;
    /** 400 requests in two seconds, by turns at two machines, of which one is late. @returns how many are let through */
    const letThrough = async (limit: number, late: number) => {
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
      // What it holds, and what comes in two seconds.
      expect(await letThrough(limit, late)).toBeLessThanOrEqual(3 * limit);
      expect(await letThrough(limit, late)).toBeGreaterThan(limit);
    }
    redis.destroy();
  },
);
