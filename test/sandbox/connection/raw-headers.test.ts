import { expect, it } from "vitest";
import { indexHeaders, readHeader, repeated, sendsAny } from "../../../src/sandbox/connection/raw-headers.js";

const headers = ["Host", "localhost", "X-Tag", "one", "Accept", "*/*", "x-tag", "two"];

it("every value of a header is found, in the order in which they were sent", () => {
  expect(Object.fromEntries(indexHeaders(headers))).toEqual({
    host: ["localhost"],
    "x-tag": ["one", "two"],
    accept: ["*/*"],
  });
});

it("a header is read whatever its case, and one that was sent twice is not guessed", () => {
  expect(["host", "x-tag", "cookie"].map((name) => readHeader(headers, name))).toEqual([
    "localhost",
    repeated,
    undefined,
  ]);
});

it("one of several names is enough, and a value is no name", () => {
  expect([["cookie", "accept"], ["localhost"]].map((names) => sendsAny(headers, new Set(names)))).toEqual([
    true,
    false,
  ]);
});
