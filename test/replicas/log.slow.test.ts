import { expect, it } from "vitest";
import { SharedLog } from "../../src/replicas/log.js";
import { SharedStateError } from "../../src/replicas/redis.js";
import { afterTest } from "../support/cleanups.js";
import { eventually } from "../support/eventually.js";
import { hasRedis, RedisServer } from "./redis-server.js";

it.skipIf(!hasRedis)(
  "a command that a replica could not apply, because Redis did not answer, is applied later",
  async () => {
    const { url } = await RedisServer.start();
    const settings = { url, user: undefined, password: undefined, ca: undefined, cert: undefined, key: undefined };
    const facts = { log: "first", seed: "7", ca: "ca", release: "1", settings: {} };
    const applied: { readonly [name: string]: string[] } = { a: [], b: [] };
    let failures = 0;
    const join = async (name: string) => {
      const log = await SharedLog.open(settings, name, facts);
      afterTest(() => log.close());
      await log.join({
        apply(command) {
          if (name === "b" && failures++ === 0) throw new SharedStateError("Redis does not answer.");
          applied[name]?.push((command as { readonly text: string }).text);
          return undefined;
        },
        reached() {},
        restore: async () => undefined,
        warn() {},
      });
      return log;
    };
    const [a, b] = [await join("a"), await join("b")];
    await a.append({ text: "one" });
    await a.append({ text: "two" });
    await eventually(() =>
      b.current().then(
        () => true,
        () => false,
      ),
    );
    expect(applied).toEqual({ a: ["one", "two"], b: ["one", "two"] });
  },
);
