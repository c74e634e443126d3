import { expect, it } from "vitest";
import { imports } from "../documentation/imports.js";
import { isOf, rooms } from "./rooms.js";

it("the judges import only the bounds of maps from other folders, and the formats only text and the version", () => {
  const outward = imports().filter(({ from, to }) => from.startsWith("exam/") && !to.startsWith("exam/"));
  const allowed = (from: string, to: string) =>
    to === "bounded/remember.ts" ||
    (from.startsWith("exam/formats/") && (to.startsWith("text/") || to === "files/version.ts"));
  expect(outward.filter(({ from, to }) => !allowed(from, to))).toEqual([]);
});

it.each(rooms.map((room) => [room.name, room] as const))("only its doors import %s", (_, room) => {
  const known = imports().filter(({ from, to }) => isOf(room, to) && !isOf(room, from));
  expect([...new Set(known.map(({ from }) => from))].sort()).toEqual(room.doors);
});
