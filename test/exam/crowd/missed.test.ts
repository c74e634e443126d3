import { expect, it } from "vitest";
import { caught } from "./caught.js";
import { failures } from "./judged.js";
import { inBurst } from "./wrong-tokens.js";

it.fails("a burst of requests with the token of the old certificate fails token.certificate", () => {
  const made = caught(inBurst, 51);
  expect(made && [...failures(made.results, "must").keys()]).toEqual(["token.certificate"]);
});
