import { describe, expect, it } from "vitest";
import { imports, sources } from "../documentation/imports.js";
import { detachable, isOf, wings } from "./wings.js";

const wingOf = (file: string) => file.split("/")[0] ?? "";

it("src/ has these wings, and no other entry", () => {
  expect([...new Set(sources().map(wingOf))].sort()).toEqual(Object.keys(wings).sort());
});

describe("imports between wings point one way", () => {
  it.each(Object.entries(wings))("%s imports only %j", (wing, allowed) => {
    const outward = imports().filter(({ from, to }) => wingOf(from) === wing && wingOf(to) !== wing);
    const known: readonly string[] = allowed;
    expect(outward.filter(({ to }) => !known.includes(wingOf(to)))).toEqual([]);
    // A wing that is allowed and not needed is a door that nobody should leave open.
    expect(known.filter((other) => !outward.some(({ to }) => wingOf(to) === other))).toEqual([]);
  });
});

describe("a wing hangs on few lines", () => {
  it.each(detachable.map((wing) => [wing.name, wing] as const))("only its doors import %s", (_, wing) => {
    const inward = imports().filter(({ from, to }) => isOf(wing, to) && !isOf(wing, from));
    expect([...new Set(inward.map(({ from }) => from))].sort()).toEqual(wing.doors);
  });
});
