import { expect, it } from "vitest";
import { testedInTurns } from "../../src/admin/journal-turns.js";
import { Journal } from "../../src/journal/journal.js";

function filled(count: number): Journal {
  const journal = new Journal();
  for (let at = 0; at < count; at++) journal.handshakes.add({ at } as never);
  return journal;
}

it("other work is done between two pieces of a long query", async () => {
  const journal = filled(1000);
  let looked = 0;
  const seen: number[] = [];
  const turn = () => {
    seen.push(looked);
    if (looked < 1000) setImmediate(turn);
  };
  setImmediate(turn);
  await testedInTurns(journal, () => {
    looked += 1;
    return true;
  });
  expect(seen.length).toBeGreaterThan(10);
});

it("an entry that comes later is tested when it is asked for", async () => {
  const journal = filled(3);
  const test = await testedInTurns(journal, ({ order }) => order % 2 === 0);
  journal.handshakes.add({ at: 4 } as never);
  expect([...journal.newestFirst()].map(test)).toEqual([true, false, true, false]);
});
