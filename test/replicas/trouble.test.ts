import { expect, it } from "vitest";
import { ForeignStateError, SharedStateError } from "../../src/replicas/redis.js";
import { Trouble } from "../../src/replicas/trouble.js";

it("a replica says why it cannot answer: the problem with Redis, and for how long", () => {
  let now = 0;
  const trouble = new Trouble(() => now, "redis://a:1");
  expect(trouble.describe(false)).toBe(undefined);
  expect(trouble.describe(true)).toBe("This replica does not have the present state of Redis at redis://a:1 yet.");
  trouble.late(now);
  now = 2400;
  expect(trouble.describe(false)).toMatch(/^Redis at redis:\/\/a:1 does not answer\. This has lasted for 2 s;/);
  trouble.lost("Redis at redis://a:1 refuses a command: OOM.");
  now = 5400;
  trouble.lost();
  expect(trouble.describe(false)).toMatch(/^Redis at redis:\/\/a:1 refuses a command: OOM\. This has lasted for 5 s;/);
  trouble.answered();
  trouble.over();
  expect(trouble.describe(false)).toBe(undefined);
});

it("a lasting problem is reported once, and again if it occurs again", () => {
  const trouble = new Trouble(() => 0, "redis://a:1");
  const damage = new ForeignStateError("redis://a:1", "a key");
  expect(trouble.failed(new SharedStateError("Redis is gone."))).toBe(undefined);
  expect([trouble.failed(damage), trouble.failed(damage)]).toEqual([damage.message, undefined]);
  expect(trouble.describe(false)).toBe(damage.message);
  trouble.over();
  expect(trouble.describe(false)).toBe(undefined);
  expect(trouble.failed(damage)).toBe(damage.message);
});
