import { expect, it } from "vitest";
import { Closers } from "../../../src/library/composition/foundation.js";

it("closes the newest part first, and waits for each", async () => {
  const closers = new Closers();
  const events: string[] = [];
  closers.add((gracePeriod) => events.push(`first ${gracePeriod}`));
  closers.add(async () => {
    await Promise.resolve();
    events.push("second");
  });
  await closers.close(7);
  expect(events).toEqual(["second", "first 7"]);
});

it("closes the other parts when one fails, and reports the first failure", async () => {
  const closers = new Closers();
  const closed: string[] = [];
  closers.add(() => closed.push("flushed"));
  closers.add(() => {
    throw new Error("older");
  });
  closers.add(() => Promise.reject(new Error("newer")));
  await expect(closers.close(0)).rejects.toThrow("newer");
  expect(closed).toEqual(["flushed"]);
});

it("closes each part once, however often it is asked to", async () => {
  const closers = new Closers();
  let times = 0;
  closers.add(() => times++);
  await Promise.all([closers.close(0), closers.close(0)]);
  await closers.close(0);
  expect(times).toBe(1);
});
