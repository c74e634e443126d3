import { expect, it } from "vitest";
import { caught } from "./caught.js";
import { draw, runClient, withoutFaults } from "./crowd.js";
import { failures, judge } from "./judged.js";
import { inBurst } from "./wrong-tokens.js";

// Verdicts of seeds beyond those of the other tests that are wrong at present.

it.fails("a burst of requests with the token of the old certificate fails token.certificate", () => {
  const made = caught(inBurst, 51);
  expect(made && [...failures(made.results, "must").keys()]).toEqual(["token.certificate"]);
});

it.fails("sixteen workers that each give up several refusals of the same token fail no must", () => {
  const drawn = draw(126_713);
  const results = judge({ reference: () => runClient(withoutFaults(drawn)), run: runClient(drawn) });
  expect([...failures(results, "must")]).toEqual([]);
});
