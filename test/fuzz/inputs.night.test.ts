import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/table.js";
import type { Input } from "./input.js";
import { Random } from "./random.js";
import { madeUpStock } from "./stock.js";
import { adminBodies } from "./surfaces/admin.js";
import { type Surface, surfaces } from "./surfaces/table.js";
import { negated } from "./surfaces/tokens.js";

function inputsOf({ name, make }: Surface, seed: string, count: number): Input[] {
  return Array.from({ length: count }, (_none, counter) => make(new Random(seed, name, counter), counter, madeUpStock));
}

/** A hash of an input, because comparing megabytes byte by byte is slow. */
function fingerprint({ moves, ...facts }: Input): string {
  const hash = createHash("sha256").update(JSON.stringify(facts));
  for (const move of moves) {
    if ("bytes" in move) hash.update(`${move.do} ${move.bytes.length} `).update(move.bytes);
    else hash.update(JSON.stringify(move));
  }
  return hash.digest("hex");
}

describe("random choices", () => {
  it("depend only on seed, surface and counter", () => {
    const drawn = (seed: string, surface: string, counter: number) => new Random(seed, surface, counter).text(20);
    expect(drawn("1", "http", 7)).toBe(drawn("1", "http", 7));
    const others = [drawn("1", "http", 7), drawn("2", "http", 7), drawn("1", "tls", 7), drawn("1", "http", 8)];
    expect(new Set(others).size).toBe(4);
  });

  it("stay in their range", () => {
    const random = new Random("1", "range", 0);
    const numbers = Array.from({ length: 1_000 }, () => random.between(3, 5));
    expect(new Set(numbers)).toEqual(new Set([3, 4, 5]));
    expect(random.bytes(9)).toHaveLength(9);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});

describe.each(surfaces.map((surface) => [surface.name, surface] as const))("inputs of %s", (_name, surface) => {
  // A few of the uploads are as large as the limit.
  const count = 60;

  it("are the same for the same seed and number", () => {
    const once = inputsOf(surface, "1", count).map(fingerprint);
    expect(inputsOf(surface, "1", count).map(fingerprint)).toEqual(once);
  });

  it("are different for another seed", () => {
    const one = inputsOf(surface, "1", count).map(fingerprint);
    expect(inputsOf(surface, "2", count).map(fingerprint)).not.toEqual(one);
  });

  it("have no more owed answers than requests", () => {
    for (const { owed, requests } of inputsOf(surface, "3", count)) expect(owed).toBeLessThanOrEqual(requests);
  });
});

describe("inputs", () => {
  it("of faults have all pairs first", () => {
    const faults = surfaces.find(({ name }) => name === "faults") as Surface;
    const pairs = inputsOf(faults, "1", 242).filter((_input, counter) => counter % 2 === 0);
    expect(new Set(pairs.map(({ title }) => title)).size).toBe(121);
  });

  it("of the admin API have a body for each route that accepts one", () => {
    const taking = adminRoutes.filter(({ body, bodyType }) => body !== undefined && bodyType === undefined);
    expect(Object.keys(adminBodies).sort()).toEqual(taking.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it("of tokens have the other form of a signature, whose other form is the first", () => {
    const { token } = madeUpStock;
    expect(negated(token)).not.toBe(token);
    expect(negated(token).slice(0, -44)).toBe(token.slice(0, -44));
    expect(negated(negated(token))).toBe(token);
  });
});
