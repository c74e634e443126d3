import { expect, it } from "vitest";
import { doInTurns } from "../../src/admin/turns.js";

it("endless work does not block other work", async () => {
  let isServed = false;
  const ended = doInTurns(() => !isServed);
  setTimeout(() => {
    isServed = true;
  });
  await ended;
});

it("two tasks alternate, piece by piece", async () => {
  const done: string[] = [];
  const work = (name: string) => () => done.push(name) < 6;
  const both = [doInTurns(work("a")), doInTurns(work("b"))];
  expect(done).toEqual([]);
  await Promise.all(both);
  expect(done.join("")).toBe("abababab".slice(0, done.length));
  expect(done.length).toBe(7);
});

it("a task that throws ends, and others continue", async () => {
  let pieces = 0;
  const other = doInTurns(() => {
    pieces += 1;
    return pieces < 5;
  });
  const broken = doInTurns(() => {
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");
  await other;
  expect(pieces).toBe(5);
});
