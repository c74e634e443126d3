import { expect, it } from "vitest";
import { testedInTurns } from "../../src/admin/journal-turns.js";
import { monotonicNow } from "../../src/sandbox/clock.js";
import { Journal } from "../../src/sandbox/journal/journal.js";

const { signal } = new AbortController();

function filled(count: number): Journal {
  const journal = new Journal();
  for (let at = 0; at < count; at++) journal.handshakes.add({ at } as never);
  return journal;
}

it("other work is done between two pieces of a long query", async () => {
  let isServed = false;
  setTimeout(() => {
    isServed = true;
  });
  // Like a query that takes a millisecond for each entry.
  const look = () => {
    const end = monotonicNow() + 1;
    while (monotonicNow() < end);
    return isServed;
  };
  const journal = filled(200);
  const test = await testedInTurns(journal, look, signal);
  const answers = [...journal.newestFirst()].map(test);
  expect([answers.at(0), answers.at(-1)]).toEqual([false, true]);
});

it("an entry that is added later is tested on demand", async () => {
  const journal = filled(3);
  const test = await testedInTurns(journal, ({ order }) => order % 2 === 0, signal);
  journal.handshakes.add({ at: 4 } as never);
  expect([...journal.newestFirst()].map(test)).toEqual([true, false, true, false]);
});

it("two queries are answered one after the other", async () => {
  const journal = filled(200);
  const looked: string[] = [];
  const query = (name: string) => testedInTurns(journal, () => looked.push(name) > 0, signal);
  await Promise.all([query("a"), query("b")]);
  expect(looked.join("")).toBe("a".repeat(200) + "b".repeat(200));
});

it("a query over another journal does not wait", async () => {
  const long = filled(200);
  let looked = 0;
  const look = () => {
    const end = monotonicNow() + 1;
    while (monotonicNow() < end);
    looked += 1;
    return true;
  };
  const first = testedInTurns(long, look, signal);
  await testedInTurns(filled(1), () => true, signal);
  expect(looked).toBeLessThan(200);
  await first;
});

it("a query whose caller has disconnected is cancelled, and the next one is answered", async () => {
  const journal = filled(1000);
  const gone = new AbortController();
  let looked = 0;
  const look = () => {
    looked += 1;
    if (looked === 60) gone.abort();
    return true;
  };
  const [first, second] = [testedInTurns(journal, look, gone.signal), testedInTurns(journal, () => true, signal)];
  await expect(first).rejects.toThrow(/gone/);
  expect(looked).toBe(60);
  await second;
});
