import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { writeWithTurn } from "../../../src/sandbox/node-tuning/grouped-writes.js";
import { replacesGlobals } from "../../../src/sandbox/node-tuning/light-requests.js";
import { sharedHeaders } from "../../../src/sandbox/node-tuning/shared-headers.js";
import { switches } from "../../../src/sandbox/node-tuning/switches.js";

it("every piece is on as shipped", () => {
  expect(Object.values(switches)).not.toContain(false);
});

it("globals are replaced only in a process that the sandbox owns", () => {
  expect([true, false].map(replacesGlobals)).toEqual([true, false]);
});

it("the answers of a turn are written together, in the order in which they were ready", async () => {
  const events: string[] = [];
  for (const name of ["first", "second"]) {
    writeWithTurn({ writeOut: () => events.push(name) });
    events.push(`${name} is ready`);
  }
  await setImmediate();
  expect(events).toEqual(["first is ready", "second is ready", "first", "second"]);
});

it("an answer that becomes ready while others are written waits for the next turn", async () => {
  const events: string[] = [];
  writeWithTurn({
    writeOut() {
      writeWithTurn({ writeOut: () => events.push("later") });
      events.push("first");
    },
  });
  await setImmediate();
  expect(events).toEqual(["first"]);
  await setImmediate();
  expect(events).toEqual(["first", "later"]);
});

it("requests with the same headers share them", () => {
  const before = ["Host", "localhost", "Accept", "*/*"];
  expect(sharedHeaders(before, [...before])).toBe(before);
  for (const other of [["Host", "localhost"], ["Host", "localhost", "Accept", "text/html"], []])
    expect(sharedHeaders(before, other)).toBe(other);
});
