import { expect, it } from "vitest";
import { monotonicNow } from "../../../src/sandbox/clock.js";
import type { Wire } from "../../../src/sandbox/connection/wire.js";
import { inPieces } from "../../../src/sandbox/scenarios/pieces.js";

/** A wire whose timers are late by this many milliseconds, as on a busy machine. */
const lateBy = (late: number) =>
  ({
    async clientGone() {
      const until = monotonicNow() + late;
      while (monotonicNow() < until);
      return false;
    },
  }) as unknown as Wire;

async function piecesOf(bytes: Uint8Array, duration: number, wire: Wire): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of inPieces(bytes, duration, wire)) pieces.push(piece);
  return pieces;
}

it("late timers do not add up: what is due meanwhile comes in one piece", async () => {
  const bytes = Buffer.from("a".repeat(160) + "b".repeat(160));
  const pieces = await piecesOf(bytes, 320, lateBy(40));
  expect(Buffer.concat(pieces)).toEqual(bytes);
  // Without it there are 32.
  expect(pieces.length).toBeLessThanOrEqual(17);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(20);
});

it("every byte comes, once, however long it takes", async () => {
  for (const length of [0, 1, 7, 64])
    for (const duration of [0, 1, 30]) {
      const bytes = Buffer.from("x".repeat(length));
      expect(Buffer.concat(await piecesOf(bytes, duration, lateBy(0)))).toEqual(bytes);
    }
});
