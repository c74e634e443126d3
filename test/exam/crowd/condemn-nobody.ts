import { beforeAll, expect, it } from "vitest";
import { checkFacts, checkIds } from "../../../src/exam/checks.js";
import { draw, runClient, withoutFaults } from "./crowd.js";
import { failures, judge } from "./judged.js";
import { isPending } from "./pending.js";

/** More seeds than this are not named. */
const mostNamed = 5;

/**
 * Tests that no check of the level `must` fails a correct client. A failure names the seeds: `draw(seed)` and
 * `runClient` repeat the client.
 * @param first seed
 * @param count of the seeds
 */
export function condemnNobody(first: number, count: number): void {
  const condemned = new Map<string, string[]>();

  beforeAll(() => {
    for (let seed = first; seed < first + count; seed++) {
      const drawn = draw(seed);
      const results = judge({ reference: () => runClient(withoutFaults(drawn)), run: runClient(drawn) });
      for (const [id, why] of failures(results, "must"))
        condemned.set(id, [...(condemned.get(id) ?? []), `seed ${seed}: ${why}`]);
    }
  });

  for (const id of checkIds.filter((each) => checkFacts(each).level === "must")) {
    const test = isPending(id) ? it.skip : it;
    test(`${id} fails none of ${count} correct clients`, () => {
      expect((condemned.get(id) ?? []).slice(0, mostNamed)).toEqual([]);
    });
  }
}
