import { describe, expect, it } from "vitest";
import { caught, wrongClients } from "./caught.js";
import { failures } from "./judged.js";
import type { WrongClient } from "./wrong-client.js";

/** So many times more seeds are tried as are needed: in some, the wrong step does not happen. */
const triedForEach = 20;

/**
 * Tests that wrong clients fail their check, and no other of the level `must`.
 * @param needed seeds of each in which something wrong happened that can be proven
 */
export function catchAll(needed: number): void {
  describe.each(wrongClients.map((wrong) => ({ name: `${wrong.fails}: ${wrong.how}`, wrong })))(
    "$name",
    ({ wrong }) => {
      it(`is caught in each of ${needed} seeds, and nothing else is`, () => {
        let found = 0;
        for (let seed = 1; found < needed && seed <= needed * triedForEach; seed++)
          if (isCaught(wrong, seed)) found += 1;
        expect(found).toBe(needed);
      });
    },
  );
}

/** @returns whether the wrong step happened, and can be proven */
function isCaught(wrong: WrongClient, seed: number): boolean {
  const made = caught(wrong, seed);
  if (made === undefined) return false;
  const { results } = made;
  const result = results.find(({ id }) => id === wrong.fails);
  expect(`seed ${seed}: ${result?.verdict}`).toBe(`seed ${seed}: fail`);
  if (wrong.level !== undefined) expect(`seed ${seed}: ${result?.level}`).toBe(`seed ${seed}: ${wrong.level}`);
  const others = [...failures(results, "must")].filter(([id]) => id !== wrong.fails);
  expect(others, `seed ${seed}`).toEqual([]);
  return true;
}
