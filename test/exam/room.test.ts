import { expect, it } from "vitest";
import { imports } from "../documentation/imports.js";
import { doors, isOfRoom } from "./room.js";

it("the judges import nothing of the rest, and the formats only text and the version", () => {
  const outward = imports().filter(({ from, to }) => from.startsWith("exam/") && !to.startsWith("exam/"));
  const allowed = (from: string, to: string) =>
    from.startsWith("exam/formats/") && (to.startsWith("text/") || to === "files/version.ts");
  expect(outward.filter(({ from, to }) => !allowed(from, to))).toEqual([]);
});

it("only the composition root and the command line know of the exam", () => {
  const known = imports().filter(({ from, to }) => isOfRoom(to) && !isOfRoom(from));
  expect([...new Set(known.map(({ from }) => from))].sort()).toEqual(doors);
});
