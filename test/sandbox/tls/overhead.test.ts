import { expect, test } from "vitest";
import { Overhead } from "../../../src/sandbox/tls/overhead.js";

const limit = { burst: 10_000, perSecond: 1_000 };

function count() {
  const socket = { bytesRead: 400 };
  return { socket, overhead: new Overhead(limit, socket, 0) };
}

test("bytes are within the limit up to the burst, and what time allows", () => {
  const { socket, overhead } = count();
  socket.bytesRead += 10_000;
  expect(overhead.allows(0)).toBe(true);
  socket.bytesRead += 500;
  expect(overhead.allows(499)).toBe(false);
  expect(overhead.allows(500)).toBe(true);
});

test("time and answers allow no more than the burst", () => {
  const { socket, overhead } = count();
  expect(overhead.allows(3_600_000, "answered")).toBe(true);
  socket.bytesRead += 10_001;
  expect(overhead.allows(3_600_000)).toBe(false);
});

test("a body does not count, in pieces of any size", () => {
  const { socket, overhead } = count();
  for (const length of [1, 16_384, 1_000_000]) {
    socket.bytesRead += 9 + 22 + length;
    overhead.addBody(length);
    expect(overhead.allows(0)).toBe(true);
  }
});

test.each([
  ["givenUp", 4],
  ["refused", 19],
  ["control", 19],
] as const)("%s costs more than its bytes", (event, most) => {
  const { overhead } = count();
  let allowed = 0;
  while (overhead.allows(0, event)) allowed++;
  expect(allowed).toBe(most);
});
