import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keys } from "../../src/replicas/keys.js";
import { workFolder } from "../cli/command.js";
import { hasRedis, RedisServer } from "./redis-server.js";
import { Replicas } from "./replicas.js";

describe.skipIf(!hasRedis)("a replica that is not like the others is refused at its start, in one line", () => {
  it("another configuration, with the names of the settings; another seed; its own ports and log do not matter", async () => {
    const replicas = new Replicas((await RedisServer.start()).url);
    const folder = workFolder();
    const withRows = (count: number) => {
      const config = join(folder, `${count}.yaml`);
      writeFileSync(config, `lists: { payments: { count: ${count} } }`);
      return config;
    };
    const same = { config: withRows(20), seed: "7" };
    await replicas.start(same);
    await replicas.start({ ...same, log: "refusals", adminHost: "127.0.0.1" });
    await expect(replicas.start({ ...same, config: withRows(21), basePath: "/api" })).rejects.toThrow(
      /^The other replicas have another configuration \(basePath, lists\): give all of them the same, or another database of Redis, such as \/1\.$/,
    );
    await expect(replicas.start({ ...same, seed: "8" })).rejects.toThrow(/have the seed 7: give all/);
    await replicas.start(same);
  });

  it("another release, or one that did not say which it is", async () => {
    const redis = await RedisServer.start();
    const replicas = new Replicas(redis.url);
    await replicas.start();
    const facts = JSON.parse(String(await redis.command("GET", keys.facts)));
    for (const [release, name] of [
      ["0.9.0", "0.9.0"],
      [undefined, "an earlier one"],
    ]) {
      await redis.command("SET", keys.facts, JSON.stringify({ ...facts, release }));
      await expect(replicas.start()).rejects.toThrow(
        new RegExp(`^The other replicas have the release ${name}, this one \\d+\\.\\d+\\.\\d+: use one release, or`),
      );
    }
  });
});
