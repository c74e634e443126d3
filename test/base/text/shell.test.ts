import { expect, it } from "vitest";
import { shellQuote } from "../../../src/base/text/shell.js";

it.each([
  ["/a/b-c_d.pem", "/a/b-c_d.pem"],
  ["/a b", "'/a b'"],
  ["it's", "'it'\\''s'"],
  ["$HOME", "'$HOME'"],
  ["`x`", "'`x`'"],
  ["é", "'é'"],
  ["", "''"],
])("%j is quoted for a shell as %s", (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted);
});
