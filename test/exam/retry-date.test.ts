import { expect, it } from "vitest";
import { retryAfter } from "../../src/exam/observe/answer.js";
import { under } from "../sandbox/scenarios/through-the-api.js";

// A client may compare the date with its own clock, or with the header Date, which is by its clock in the sandbox.
it.each([
  [0, 5_600],
  [-60_000, -54_400],
  [200_000, 5_600],
])("a date by a clock that is moved by %d ms asks for the shorter wait: %d ms", async (offset, wait) => {
  const { harness, get } = await under(
    "{ when: { operation: ping }, then: { error: { code: NOT_FOUND, retryAfter: { in: 5s, format: date } } } }",
  );
  harness.clients.get("demo")?.clock.offsetBy(offset);
  await get("/v1/ping");
  const exchange = harness.exchanges.at(-1);
  if (exchange === undefined) throw new Error("There is no exchange.");
  const { answerHeaders, now } = exchange;
  expect(retryAfter({ answerHeaders, now, receivedAt: harness.clock.time }, 0)?.wait).toBe(wait);
});
