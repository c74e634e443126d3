import { expect, it } from "vitest";
import { emptyBodyOptions } from "../../../src/sandbox/node-tuning/empty-bodies.js";
import { writeWithTurn } from "../../../src/sandbox/node-tuning/grouped-writes.js";
import { replacesGlobals } from "../../../src/sandbox/node-tuning/light-requests.js";
import { sharedHeaders } from "../../../src/sandbox/node-tuning/shared-headers.js";

// Runs in the project `untuned` only. It shows that the other tests of that project run without any piece.

it("the globals of the process stay", () => {
  expect(replacesGlobals(true)).toBe(false);
});

it("Node reads empty bodies in its own way", () => {
  expect(emptyBodyOptions).toEqual({ optimizeEmptyRequests: false });
});

it("an answer is written at once", () => {
  const written: string[] = [];
  writeWithTurn({ writeOut: () => written.push("written") });
  expect(written).toEqual(["written"]);
});

it("each request has headers of its own", () => {
  const headers = ["Host", "localhost"];
  expect(sharedHeaders(["Host", "localhost"], headers)).toBe(headers);
});
