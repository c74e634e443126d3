import { beforeAll, expect, it } from "vitest";
import { type CheckId, checkFacts, checkIds } from "../../../src/exam/checks.js";
import { draw, runClient, withoutFaults } from "./crowd.js";
import { failures, judge } from "./judged.js";
import { linesOf } from "./lines.js";
import { isDeserved } from "./warnings.js";

/** What the simulation does not show: intermediate CAs, and the answer sheet. */
const notShown: ReadonlySet<CheckId> = new Set(["certificate.chain", "answers.rows", "answers.code"]);

/** More seeds than this are not named. */
const mostNamed = 5;

/** What is likely and not proven is a warning: this part of the clients may get one that they do not deserve. */
const mostWarned = 0.02;

/**
 * Tests that no check of the level `must` fails a correct client, and that each is passed by some. A failure names the
 * seeds: `CROWD_SEED=7 npx vitest run test/exam/crowd/crowd.test.ts` repeats one, and shows what the sandbox saw.
 * @param first seed
 * @param count of the seeds
 */
export function condemnNobody(first: number, count: number): void {
  const condemned = new Map<string, string[]>();
  const warned = new Map<string, string[]>();
  const passed = new Set<string>();
  let lines = "";

  beforeAll(() => {
    for (let seed = first; seed < first + count; seed++) {
      const drawn = draw(seed);
      const run = runClient(drawn);
      if (count === 1) lines = linesOf(drawn, run);
      const results = judge({ reference: () => runClient(withoutFaults(drawn)), run });
      for (const { id, verdict } of results) if (verdict === "pass") passed.add(id);
      for (const [id, why] of failures(results, "must")) note(condemned, id, `seed ${seed}: ${why}`);
      for (const [id, why] of failures(results, "should"))
        if (!isDeserved(id, drawn.traits)) note(warned, id, `seed ${seed}: ${why}`);
    }
  });

  for (const id of checkIds.filter((each) => checkFacts(each).level === "must")) {
    it(`${id} fails none of ${count} correct clients`, () => {
      expect((condemned.get(id) ?? []).slice(0, mostNamed), lines).toEqual([]);
      if (count > 1) expect(passed.has(id)).toBe(!notShown.has(id));
    });
  }

  it.skipIf(count === 1)("nearly no client gets a warning that it does not deserve", () => {
    const often = [...warned].filter(([, seeds]) => seeds.length > mostWarned * count);
    expect(often.map(([id, seeds]) => [id, seeds.length, seeds.slice(0, mostNamed)])).toEqual([]);
  });
}

function note(found: Map<string, string[]>, id: string, text: string): void {
  found.set(id, [...(found.get(id) ?? []), text]);
}
